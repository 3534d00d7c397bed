// SPDX-License-Identifier: BSD-3-Clause
// fmi3.c: the functions of FMI 3.0 (Functional Mock-up Interface Specification 3.0, section 2.2 and
// chapters 3 to 5) around fmu.c; those for what there is not are in fmi3_absent.c, which follows.
//
// Types and signatures are those of the standard, declared here so that nothing else is needed to
// compile. There are Float64 variables alone, no clocks, no events, no structural parameters.
#include <stdbool.h>
#include <stddef.h>

typedef void *fmi3Instance, *fmi3InstanceEnvironment, *fmi3FMUState;
typedef uint32_t fmi3ValueReference;
typedef float fmi3Float32;
typedef double fmi3Float64;
typedef int8_t fmi3Int8;
typedef uint8_t fmi3UInt8;
typedef int16_t fmi3Int16;
typedef uint16_t fmi3UInt16;
typedef int32_t fmi3Int32;
typedef uint32_t fmi3UInt32;
typedef int64_t fmi3Int64;
typedef uint64_t fmi3UInt64;
typedef bool fmi3Boolean, fmi3Clock;
typedef const char *fmi3String;
typedef uint8_t fmi3Byte;
typedef const fmi3Byte *fmi3Binary;
typedef enum { fmi3OK, fmi3Warning, fmi3Discard, fmi3Error, fmi3Fatal } fmi3Status;
typedef enum {
  fmi3Independent,
  fmi3Constant,
  fmi3Fixed,
  fmi3Tunable,
  fmi3Discrete,
  fmi3Dependent
} fmi3DependencyKind;
typedef enum {
  fmi3IntervalNotYetKnown,
  fmi3IntervalUnchanged,
  fmi3IntervalChanged
} fmi3IntervalQualifier;
typedef void (*fmi3LogMessageCallback)(fmi3InstanceEnvironment, fmi3Status, fmi3String, fmi3String);
typedef void (*fmi3ClockUpdateCallback)(fmi3InstanceEnvironment);
typedef void (*fmi3IntermediateUpdateCallback)(fmi3InstanceEnvironment, fmi3Float64, fmi3Boolean,
                                               fmi3Boolean, fmi3Boolean, fmi3Boolean, fmi3Boolean *,
                                               fmi3Float64 *);
typedef void (*fmi3LockPreemptionCallback)(void);
typedef void (*fmi3UnlockPreemptionCallback)(void);

// Names carry the model's where several units are linked into one program; a shared library has
// them plain.
#if defined(FMI3_OVERRIDE_FUNCTION_PREFIX) || defined(DISABLE_PREFIX)
#define FMI3(name) fmi3##name
#else
#define FMI3_PASTE(a, b)  a##b
#define FMI3_PASTE2(a, b) FMI3_PASTE(a, b)
#define FMI3(name)        FMI3_PASTE2(FMU_PREFIX, fmi3##name)
#endif
#if defined(_WIN32)
#define FMI3_API __declspec(dllexport)
#elif defined(__GNUC__)
#define FMI3_API __attribute__((visibility("default")))
#else
#define FMI3_API
#endif

#define FMI3_ENTER(function, modes)                                                                \
  fmu *f = (fmu *)instance;                                                                        \
  if (!f) return fmi3Error;                                                                        \
  if (fmu_allowed(f, "fmi3" #function, (modes)) != FMU_OK) return fmi3Error

// ---- instances ----------------------------------------------------------------------------------

FMI3_API const char *FMI3(GetVersion)(void) { return "3.0"; }

static void fmi3_sink(fmu *f, int status, const char *category, const char *text)
{
  ((fmi3LogMessageCallback)f->callback)(f->env, (fmi3Status)status, category, text);
}

FMI3_API fmi3Status FMI3(SetDebugLogging)(fmi3Instance instance, fmi3Boolean loggingOn,
                                          size_t nCategories, const fmi3String categories[])
{
  FMI3_ENTER(SetDebugLogging, FMU_ANY);
  return (fmi3Status)fmu_set_logging(f, loggingOn, nCategories, categories);
}

static fmi3Instance fmi3_new(fmi3String name, fmi3String token, int cosim, fmi3Boolean logging,
                             fmi3InstanceEnvironment env, fmi3LogMessageCallback log)
{
  const char *why = NULL;
  fmu *f = NULL;
  if (!name || !*name)
    why = "an instance needs a name";
  else if (!token || strcmp(token, FMU_TOKEN) != 0)
    why = "the instantiation token is not that of this model: modelDescription.xml is of another";
  else if (!(f = fmu_new(name, cosim)))
    why = "no memory for an instance";
  if (why && log) log(env, fmi3Error, fmu_category[FMU_LOG_ERROR], why);
  if (!f) return NULL;
  f->env = env;
  f->callback = (void (*)(void))log;
  f->sink = log ? fmi3_sink : NULL;
  f->logged = logging ? ~0U : 0U;
  return f;
}

FMI3_API fmi3Instance FMI3(InstantiateModelExchange)(fmi3String instanceName,
                                                     fmi3String instantiationToken,
                                                     fmi3String resourcePath, fmi3Boolean visible,
                                                     fmi3Boolean loggingOn,
                                                     fmi3InstanceEnvironment instanceEnvironment,
                                                     fmi3LogMessageCallback logMessage)
{
  (void)resourcePath, (void)visible;
  return fmi3_new(instanceName, instantiationToken, 0, loggingOn, instanceEnvironment, logMessage);
}

FMI3_API fmi3Instance FMI3(InstantiateCoSimulation)(
    fmi3String instanceName, fmi3String instantiationToken, fmi3String resourcePath,
    fmi3Boolean visible, fmi3Boolean loggingOn, fmi3Boolean eventModeUsed,
    fmi3Boolean earlyReturnAllowed, const fmi3ValueReference requiredIntermediateVariables[],
    size_t nRequiredIntermediateVariables, fmi3InstanceEnvironment instanceEnvironment,
    fmi3LogMessageCallback logMessage, fmi3IntermediateUpdateCallback intermediateUpdate)
{
  (void)resourcePath, (void)visible, (void)earlyReturnAllowed, (void)intermediateUpdate;
  (void)requiredIntermediateVariables, (void)nRequiredIntermediateVariables;
  if (eventModeUsed && logMessage)
    logMessage(instanceEnvironment, fmi3Error, fmu_category[FMU_LOG_ERROR],
               "there is no event mode in co-simulation");
  if (eventModeUsed) return NULL;
  return fmi3_new(instanceName, instantiationToken, 1, loggingOn, instanceEnvironment, logMessage);
}

FMI3_API fmi3Instance FMI3(InstantiateScheduledExecution)(
    fmi3String instanceName, fmi3String instantiationToken, fmi3String resourcePath,
    fmi3Boolean visible, fmi3Boolean loggingOn, fmi3InstanceEnvironment instanceEnvironment,
    fmi3LogMessageCallback logMessage, fmi3ClockUpdateCallback clockUpdate,
    fmi3LockPreemptionCallback lockPreemption, fmi3UnlockPreemptionCallback unlockPreemption)
{
  (void)instanceName, (void)instantiationToken, (void)resourcePath, (void)visible, (void)loggingOn;
  (void)clockUpdate, (void)lockPreemption, (void)unlockPreemption;
  if (logMessage)
    logMessage(instanceEnvironment, fmi3Error, fmu_category[FMU_LOG_ERROR],
               "there is no scheduled execution: model exchange and co-simulation");
  return NULL;
}

FMI3_API void FMI3(FreeInstance)(fmi3Instance instance) { free(instance); }

FMI3_API fmi3Status FMI3(EnterInitializationMode)(fmi3Instance instance,
                                                  fmi3Boolean toleranceDefined,
                                                  fmi3Float64 tolerance, fmi3Float64 startTime,
                                                  fmi3Boolean stopTimeDefined, fmi3Float64 stopTime)
{
  FMI3_ENTER(EnterInitializationMode, FMU_INSTANTIATED);
  (void)toleranceDefined, (void)tolerance;
  return (fmi3Status)fmu_enter_init(f, startTime, stopTimeDefined, stopTime);
}

FMI3_API fmi3Status FMI3(ExitInitializationMode)(fmi3Instance instance)
{
  FMI3_ENTER(ExitInitializationMode, FMU_INIT);
  f->s.mode = f->s.cosim ? FMU_STEPPING : FMU_EVENT;
  return fmi3OK;
}

FMI3_API fmi3Status FMI3(EnterEventMode)(fmi3Instance instance)
{
  FMI3_ENTER(EnterEventMode, FMU_CONTINUOUS);
  f->s.mode = FMU_EVENT;
  return fmi3OK;
}

FMI3_API fmi3Status FMI3(Terminate)(fmi3Instance instance)
{
  FMI3_ENTER(Terminate, FMU_EVENT | FMU_CONTINUOUS | FMU_STEPPING);
  f->s.mode = FMU_TERMINATED;
  return fmi3OK;
}

FMI3_API fmi3Status FMI3(Reset)(fmi3Instance instance)
{
  FMI3_ENTER(Reset, FMU_ANY);
  fmu_reset(f);
  return fmi3OK;
}

// Of a type that no variable has: fine for none of them.
static fmi3Status fmi3_none(fmi3Instance instance, size_t n, const char *function)
{
  fmu *f = (fmu *)instance;
  if (!f) return fmi3Error;
  if (n == 0) return fmi3OK;
  return (fmi3Status)fmu_fail(f, FMU_ERROR, "%s: there are no such variables", function);
}

// ---- variables ----------------------------------------------------------------------------------

FMI3_API fmi3Status FMI3(GetFloat64)(fmi3Instance instance,
                                     const fmi3ValueReference valueReferences[],
                                     size_t nValueReferences, fmi3Float64 values[], size_t nValues)
{
  FMI3_ENTER(GetFloat64, FMU_ANY);
  if (nValues != nValueReferences)
    return (fmi3Status)fmu_fail(f, FMU_ERROR, "fmi3GetFloat64: all variables are scalars");
  int status = FMU_OK;
  for (size_t k = 0; status == FMU_OK && k < nValueReferences; k++)
    status = fmu_get(f, valueReferences[k], values + k);
  return (fmi3Status)status;
}

FMI3_API fmi3Status FMI3(SetFloat64)(fmi3Instance instance,
                                     const fmi3ValueReference valueReferences[],
                                     size_t nValueReferences, const fmi3Float64 values[],
                                     size_t nValues)
{
  FMI3_ENTER(SetFloat64, FMU_ANY & ~FMU_TERMINATED);
  if (nValues != nValueReferences)
    return (fmi3Status)fmu_fail(f, FMU_ERROR, "fmi3SetFloat64: all variables are scalars");
  return (fmi3Status)fmu_set(f, valueReferences, nValueReferences, values);
}

// ---- copies of the state ------------------------------------------------------------------------

FMI3_API fmi3Status FMI3(GetFMUState)(fmi3Instance instance, fmi3FMUState *FMUState)
{
  FMI3_ENTER(GetFMUState, FMU_ANY);
  return (fmi3Status)fmu_copy_state(f, FMUState);
}

FMI3_API fmi3Status FMI3(SetFMUState)(fmi3Instance instance, fmi3FMUState FMUState)
{
  FMI3_ENTER(SetFMUState, FMU_ANY);
  return (fmi3Status)fmu_restore_state(f, FMUState);
}

FMI3_API fmi3Status FMI3(FreeFMUState)(fmi3Instance instance, fmi3FMUState *FMUState)
{
  FMI3_ENTER(FreeFMUState, FMU_ANY);
  if (!FMUState) return fmi3OK;
  free(*FMUState);
  *FMUState = NULL;
  return fmi3OK;
}

FMI3_API fmi3Status FMI3(SerializedFMUStateSize)(fmi3Instance instance, fmi3FMUState FMUState,
                                                 size_t *size)
{
  FMI3_ENTER(SerializedFMUStateSize, FMU_ANY);
  (void)FMUState;
  *size = FMU_BYTES;
  return fmi3OK;
}

FMI3_API fmi3Status FMI3(SerializeFMUState)(fmi3Instance instance, fmi3FMUState FMUState,
                                            fmi3Byte serializedState[], size_t size)
{
  FMI3_ENTER(SerializeFMUState, FMU_ANY);
  return (fmi3Status)fmu_write_state(f, FMUState, serializedState, size);
}

FMI3_API fmi3Status FMI3(DeserializeFMUState)(fmi3Instance instance,
                                              const fmi3Byte serializedState[], size_t size,
                                              fmi3FMUState *FMUState)
{
  FMI3_ENTER(DeserializeFMUState, FMU_ANY);
  return (fmi3Status)fmu_read_state(f, serializedState, size, FMUState);
}

// ---- derivatives --------------------------------------------------------------------------------

static fmi3Status fmi3_differentiate(fmu *f, const fmi3ValueReference unknowns[], size_t nUnknowns,
                                     const fmi3ValueReference knowns[], size_t nKnowns,
                                     const fmi3Float64 seed[], size_t nSeed,
                                     fmi3Float64 sensitivity[], size_t nSensitivity, int adjoint)
{
  if (nSeed != (adjoint ? nUnknowns : nKnowns) || nSensitivity != (adjoint ? nKnowns : nUnknowns))
    return (fmi3Status)fmu_fail(f, FMU_ERROR, "seeds and sensitivities: all variables are scalars");
  return (fmi3Status)fmu_differentiate(f, unknowns, nUnknowns, knowns, nKnowns, seed, sensitivity,
                                       adjoint);
}

FMI3_API fmi3Status FMI3(GetDirectionalDerivative)(
    fmi3Instance instance, const fmi3ValueReference unknowns[], size_t nUnknowns,
    const fmi3ValueReference knowns[], size_t nKnowns, const fmi3Float64 seed[], size_t nSeed,
    fmi3Float64 sensitivity[], size_t nSensitivity)
{
  FMI3_ENTER(GetDirectionalDerivative, FMU_ANY & ~FMU_INSTANTIATED);
  return fmi3_differentiate(f, unknowns, nUnknowns, knowns, nKnowns, seed, nSeed, sensitivity,
                            nSensitivity, 0);
}

FMI3_API fmi3Status FMI3(GetAdjointDerivative)(fmi3Instance instance,
                                               const fmi3ValueReference unknowns[],
                                               size_t nUnknowns, const fmi3ValueReference knowns[],
                                               size_t nKnowns, const fmi3Float64 seed[],
                                               size_t nSeed, fmi3Float64 sensitivity[],
                                               size_t nSensitivity)
{
  FMI3_ENTER(GetAdjointDerivative, FMU_ANY & ~FMU_INSTANTIATED);
  return fmi3_differentiate(f, unknowns, nUnknowns, knowns, nKnowns, seed, nSeed, sensitivity,
                            nSensitivity, 1);
}

// ---- events, of which there are none ------------------------------------------------------------

FMI3_API fmi3Status FMI3(EvaluateDiscreteStates)(fmi3Instance instance)
{
  FMI3_ENTER(EvaluateDiscreteStates, FMU_INIT | FMU_EVENT);
  return fmi3OK;
}

FMI3_API fmi3Status FMI3(UpdateDiscreteStates)(
    fmi3Instance instance, fmi3Boolean *discreteStatesNeedUpdate, fmi3Boolean *terminateSimulation,
    fmi3Boolean *nominalsOfContinuousStatesChanged, fmi3Boolean *valuesOfContinuousStatesChanged,
    fmi3Boolean *nextEventTimeDefined, fmi3Float64 *nextEventTime)
{
  FMI3_ENTER(UpdateDiscreteStates, FMU_EVENT);
  (void)nextEventTime;
  *discreteStatesNeedUpdate = false;
  *terminateSimulation = false;
  *nominalsOfContinuousStatesChanged = false;
  *valuesOfContinuousStatesChanged = false;
  *nextEventTimeDefined = false;
  return fmi3OK;
}

FMI3_API fmi3Status FMI3(GetEventIndicators)(fmi3Instance instance, fmi3Float64 eventIndicators[],
                                             size_t nEventIndicators)
{
  (void)eventIndicators;
  return fmi3_none(instance, nEventIndicators, "fmi3GetEventIndicators");
}

FMI3_API fmi3Status FMI3(GetNumberOfEventIndicators)(fmi3Instance instance,
                                                     size_t *nEventIndicators)
{
  FMI3_ENTER(GetNumberOfEventIndicators, FMU_ANY);
  *nEventIndicators = 0;
  return fmi3OK;
}

// ---- model exchange -----------------------------------------------------------------------------

FMI3_API fmi3Status FMI3(EnterContinuousTimeMode)(fmi3Instance instance)
{
  FMI3_ENTER(EnterContinuousTimeMode, FMU_EVENT);
  f->s.mode = FMU_CONTINUOUS;
  return fmi3OK;
}

FMI3_API fmi3Status FMI3(CompletedIntegratorStep)(fmi3Instance instance,
                                                  fmi3Boolean noSetFMUStatePriorToCurrentPoint,
                                                  fmi3Boolean *enterEventMode,
                                                  fmi3Boolean *terminateSimulation)
{
  FMI3_ENTER(CompletedIntegratorStep, FMU_CONTINUOUS);
  (void)noSetFMUStatePriorToCurrentPoint;
  *enterEventMode = false;
  *terminateSimulation = false;
  return fmi3OK;
}

FMI3_API fmi3Status FMI3(SetTime)(fmi3Instance instance, fmi3Float64 time)
{
  FMI3_ENTER(SetTime, FMU_EVENT | FMU_CONTINUOUS);
  f->s.time = time;
  return fmi3OK;
}

FMI3_API fmi3Status FMI3(SetContinuousStates)(fmi3Instance instance,
                                              const fmi3Float64 continuousStates[],
                                              size_t nContinuousStates)
{
  FMI3_ENTER(SetContinuousStates, FMU_CONTINUOUS);
  return (fmi3Status)fmu_set_states(f, continuousStates, nContinuousStates);
}

static fmi3Status fmi3_n_states(fmu *f, size_t n)
{
  if (n == FMU_N_X) return fmi3OK;
  return (fmi3Status)fmu_fail(f, FMU_ERROR, "there are %d states, not %lu", FMU_N_X,
                              (unsigned long)n);
}

FMI3_API fmi3Status FMI3(GetContinuousStateDerivatives)(fmi3Instance instance,
                                                        fmi3Float64 derivatives[],
                                                        size_t nContinuousStates)
{
  FMI3_ENTER(GetContinuousStateDerivatives, FMU_INIT | FMU_EVENT | FMU_CONTINUOUS | FMU_TERMINATED);
  fmi3Status status = fmi3_n_states(f, nContinuousStates);
  return status == fmi3OK ? (fmi3Status)fmu_derivatives(f, derivatives) : status;
}

FMI3_API fmi3Status FMI3(GetContinuousStates)(fmi3Instance instance, fmi3Float64 continuousStates[],
                                              size_t nContinuousStates)
{
  FMI3_ENTER(GetContinuousStates, FMU_INIT | FMU_EVENT | FMU_CONTINUOUS | FMU_TERMINATED);
  fmi3Status status = fmi3_n_states(f, nContinuousStates);
  if (status == fmi3OK) memcpy(continuousStates, f->s.x, sizeof f->s.x);
  return status;
}

FMI3_API fmi3Status FMI3(GetNominalsOfContinuousStates)(fmi3Instance instance,
                                                        fmi3Float64 nominals[],
                                                        size_t nContinuousStates)
{
  FMI3_ENTER(GetNominalsOfContinuousStates, FMU_INIT | FMU_EVENT | FMU_CONTINUOUS | FMU_TERMINATED);
  fmi3Status status = fmi3_n_states(f, nContinuousStates);
  if (status == fmi3OK) memcpy(nominals, fmu_nominal_x, sizeof fmu_nominal_x);
  return status;
}

FMI3_API fmi3Status FMI3(GetNumberOfContinuousStates)(fmi3Instance instance,
                                                      size_t *nContinuousStates)
{
  FMI3_ENTER(GetNumberOfContinuousStates, FMU_ANY);
  *nContinuousStates = FMU_N_X;
  return fmi3OK;
}

// ---- co-simulation ------------------------------------------------------------------------------

FMI3_API fmi3Status FMI3(EnterStepMode)(fmi3Instance instance)
{
  return fmi3_none(instance, 1, "fmi3EnterStepMode (there is no event mode in co-simulation)");
}

FMI3_API fmi3Status FMI3(GetOutputDerivatives)(fmi3Instance instance,
                                               const fmi3ValueReference valueReferences[],
                                               size_t nValueReferences, const fmi3Int32 orders[],
                                               fmi3Float64 values[], size_t nValues)
{
  (void)valueReferences, (void)orders, (void)values, (void)nValues;
  return fmi3_none(instance, nValueReferences, "fmi3GetOutputDerivatives");
}

FMI3_API fmi3Status FMI3(DoStep)(fmi3Instance instance, fmi3Float64 currentCommunicationPoint,
                                 fmi3Float64 communicationStepSize,
                                 fmi3Boolean noSetFMUStatePriorToCurrentPoint,
                                 fmi3Boolean *eventHandlingNeeded, fmi3Boolean *terminateSimulation,
                                 fmi3Boolean *earlyReturn, fmi3Float64 *lastSuccessfulTime)
{
  FMI3_ENTER(DoStep, FMU_STEPPING);
  (void)noSetFMUStatePriorToCurrentPoint;
  if (eventHandlingNeeded) *eventHandlingNeeded = false;
  if (terminateSimulation) *terminateSimulation = false;
  if (earlyReturn) *earlyReturn = false;
  int status = fmu_do_step(f, currentCommunicationPoint, communicationStepSize);
  if (lastSuccessfulTime) *lastSuccessfulTime = f->s.time;
  return (fmi3Status)status;
}
