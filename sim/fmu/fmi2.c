// SPDX-License-Identifier: BSD-3-Clause
// fmi2.c: the functions of FMI 2.0 (Functional Mock-up Interface for Model Exchange and
// Co-Simulation 2.0, chapters 2 to 4) around fmu.c.
//
// Types and signatures are those of the standard, declared here so that nothing else is needed to
// compile. There are Real variables alone, no events, no steps that are pending: those functions
// exist and say so.
#include <stddef.h>

typedef void *fmi2Component, *fmi2ComponentEnvironment, *fmi2FMUstate;
typedef unsigned int fmi2ValueReference;
typedef double fmi2Real;
typedef int fmi2Integer, fmi2Boolean;
typedef const char *fmi2String;
typedef char fmi2Byte;
typedef enum { fmi2OK, fmi2Warning, fmi2Discard, fmi2Error, fmi2Fatal, fmi2Pending } fmi2Status;
typedef enum { fmi2ModelExchange, fmi2CoSimulation } fmi2Type;
typedef enum {
  fmi2DoStepStatus,
  fmi2PendingStatus,
  fmi2LastSuccessfulTime,
  fmi2Terminated
} fmi2StatusKind;
typedef void (*fmi2CallbackLogger)(fmi2ComponentEnvironment, fmi2String, fmi2Status, fmi2String,
                                   fmi2String, ...);
typedef struct {
  fmi2CallbackLogger logger;
  void *(*allocateMemory)(size_t, size_t);
  void (*freeMemory)(void *);
  void (*stepFinished)(fmi2ComponentEnvironment, fmi2Status);
  fmi2ComponentEnvironment componentEnvironment;
} fmi2CallbackFunctions;
typedef struct {
  fmi2Boolean newDiscreteStatesNeeded, terminateSimulation, nominalsOfContinuousStatesChanged,
      valuesOfContinuousStatesChanged, nextEventTimeDefined;
  fmi2Real nextEventTime;
} fmi2EventInfo;

// Names carry the model's where several units are linked into one program; a shared library has
// them plain.
#if defined(FMI2_OVERRIDE_FUNCTION_PREFIX) || defined(FMI3_OVERRIDE_FUNCTION_PREFIX) ||            \
    defined(DISABLE_PREFIX)
#define FMI2(name) fmi2##name
#else
#define FMI2_PASTE(a, b)  a##b
#define FMI2_PASTE2(a, b) FMI2_PASTE(a, b)
#define FMI2(name)        FMI2_PASTE2(FMU_PREFIX, fmi2##name)
#endif
#if defined(_WIN32)
#define FMI2_API __declspec(dllexport)
#elif defined(__GNUC__)
#define FMI2_API __attribute__((visibility("default")))
#else
#define FMI2_API
#endif

#define FMI2_ENTER(function, modes)                                                                \
  fmu *f = (fmu *)c;                                                                               \
  if (!f) return fmi2Error;                                                                        \
  if (fmu_allowed(f, "fmi2" #function, (modes)) != FMU_OK) return fmi2Error

// ---- instances ----------------------------------------------------------------------------------

FMI2_API const char *FMI2(GetTypesPlatform)(void) { return "default"; }
FMI2_API const char *FMI2(GetVersion)(void) { return "2.0"; }

static void fmi2_sink(fmu *f, int status, const char *category, const char *text)
{
  ((fmi2CallbackLogger)f->callback)(f->env, f->name, (fmi2Status)status, category, "%s", text);
}

FMI2_API fmi2Status FMI2(SetDebugLogging)(fmi2Component c, fmi2Boolean loggingOn,
                                          size_t nCategories, const fmi2String categories[])
{
  FMI2_ENTER(SetDebugLogging, FMU_ANY);
  return (fmi2Status)fmu_set_logging(f, loggingOn, nCategories, categories);
}

FMI2_API fmi2Component FMI2(Instantiate)(fmi2String instanceName, fmi2Type fmuType,
                                         fmi2String fmuGUID, fmi2String fmuResourceLocation,
                                         const fmi2CallbackFunctions *functions,
                                         fmi2Boolean visible, fmi2Boolean loggingOn)
{
  const char *why = NULL;
  fmu *f = NULL;
  (void)fmuResourceLocation, (void)visible;
  if (!functions) return NULL;
  if (!instanceName || !*instanceName)
    why = "an instance needs a name";
  else if (!fmuGUID || strcmp(fmuGUID, FMU_TOKEN) != 0)
    why = "the GUID is not that of this model: modelDescription.xml is of another";
  else if (!(f = fmu_new(instanceName, fmuType == fmi2CoSimulation)))
    why = "no memory for an instance";
  if (why && functions->logger)
    functions->logger(functions->componentEnvironment, instanceName ? instanceName : "", fmi2Error,
                      fmu_category[FMU_LOG_ERROR], "%s", why);
  if (!f) return NULL;
  f->env = functions->componentEnvironment;
  f->callback = (void (*)(void))functions->logger;
  f->sink = functions->logger ? fmi2_sink : NULL;
  f->logged = loggingOn ? ~0U : 0U;
  return f;
}

FMI2_API void FMI2(FreeInstance)(fmi2Component c) { free(c); }

FMI2_API fmi2Status FMI2(SetupExperiment)(fmi2Component c, fmi2Boolean toleranceDefined,
                                          fmi2Real tolerance, fmi2Real startTime,
                                          fmi2Boolean stopTimeDefined, fmi2Real stopTime)
{
  FMI2_ENTER(SetupExperiment, FMU_INSTANTIATED);
  (void)toleranceDefined, (void)tolerance;
  fmi2Status status = (fmi2Status)fmu_enter_init(f, startTime, stopTimeDefined, stopTime);
  if (status == fmi2OK) f->s.mode = FMU_INSTANTIATED;
  return status;
}

FMI2_API fmi2Status FMI2(EnterInitializationMode)(fmi2Component c)
{
  FMI2_ENTER(EnterInitializationMode, FMU_INSTANTIATED);
  f->s.mode = FMU_INIT;
  return fmi2OK;
}

FMI2_API fmi2Status FMI2(ExitInitializationMode)(fmi2Component c)
{
  FMI2_ENTER(ExitInitializationMode, FMU_INIT);
  f->s.mode = f->s.cosim ? FMU_STEPPING : FMU_EVENT;
  return fmi2OK;
}

FMI2_API fmi2Status FMI2(Terminate)(fmi2Component c)
{
  FMI2_ENTER(Terminate, FMU_EVENT | FMU_CONTINUOUS | FMU_STEPPING);
  f->s.mode = FMU_TERMINATED;
  return fmi2OK;
}

FMI2_API fmi2Status FMI2(Reset)(fmi2Component c)
{
  FMI2_ENTER(Reset, FMU_ANY);
  fmu_reset(f);
  return fmi2OK;
}

// ---- variables ----------------------------------------------------------------------------------

FMI2_API fmi2Status FMI2(GetReal)(fmi2Component c, const fmi2ValueReference vr[], size_t nvr,
                                  fmi2Real value[])
{
  FMI2_ENTER(GetReal, FMU_ANY);
  fmi2Status status = fmi2OK;
  for (size_t k = 0; status == fmi2OK && k < nvr; k++)
    status = (fmi2Status)fmu_get(f, vr[k], value + k);
  return status;
}

FMI2_API fmi2Status FMI2(SetReal)(fmi2Component c, const fmi2ValueReference vr[], size_t nvr,
                                  const fmi2Real value[])
{
  FMI2_ENTER(SetReal, FMU_ANY & ~FMU_TERMINATED);
  return (fmi2Status)fmu_set(f, vr, nvr, value);
}

// Of a type that no variable has, or what is not offered: fine for none of them.
static fmi2Status fmi2_none(fmi2Component c, size_t n, const char *function)
{
  fmu *f = (fmu *)c;
  if (!f) return fmi2Error;
  if (n == 0) return fmi2OK;
  return (fmi2Status)fmu_fail(f, FMU_ERROR, "%s: there are no such variables", function);
}

#define FMI2_NO_VARIABLES(type)                                                                    \
  FMI2_API fmi2Status FMI2(Get##type)(fmi2Component c, const fmi2ValueReference vr[], size_t nvr,  \
                                      fmi2##type value[])                                          \
  {                                                                                                \
    (void)vr, (void)value;                                                                         \
    return fmi2_none(c, nvr, "fmi2Get" #type);                                                     \
  }                                                                                                \
  FMI2_API fmi2Status FMI2(Set##type)(fmi2Component c, const fmi2ValueReference vr[], size_t nvr,  \
                                      const fmi2##type value[])                                    \
  {                                                                                                \
    (void)vr, (void)value;                                                                         \
    return fmi2_none(c, nvr, "fmi2Set" #type);                                                     \
  }
FMI2_NO_VARIABLES(Integer)
FMI2_NO_VARIABLES(Boolean)
FMI2_NO_VARIABLES(String)

// ---- copies of the state ------------------------------------------------------------------------

FMI2_API fmi2Status FMI2(GetFMUstate)(fmi2Component c, fmi2FMUstate *FMUstate)
{
  FMI2_ENTER(GetFMUstate, FMU_ANY);
  return (fmi2Status)fmu_copy_state(f, FMUstate);
}

FMI2_API fmi2Status FMI2(SetFMUstate)(fmi2Component c, fmi2FMUstate FMUstate)
{
  FMI2_ENTER(SetFMUstate, FMU_ANY);
  return (fmi2Status)fmu_restore_state(f, FMUstate);
}

FMI2_API fmi2Status FMI2(FreeFMUstate)(fmi2Component c, fmi2FMUstate *FMUstate)
{
  FMI2_ENTER(FreeFMUstate, FMU_ANY);
  if (!FMUstate) return fmi2OK;
  free(*FMUstate);
  *FMUstate = NULL;
  return fmi2OK;
}

FMI2_API fmi2Status FMI2(SerializedFMUstateSize)(fmi2Component c, fmi2FMUstate FMUstate,
                                                 size_t *size)
{
  FMI2_ENTER(SerializedFMUstateSize, FMU_ANY);
  (void)FMUstate;
  *size = FMU_BYTES;
  return fmi2OK;
}

FMI2_API fmi2Status FMI2(SerializeFMUstate)(fmi2Component c, fmi2FMUstate FMUstate,
                                            fmi2Byte serializedState[], size_t size)
{
  FMI2_ENTER(SerializeFMUstate, FMU_ANY);
  return (fmi2Status)fmu_write_state(f, FMUstate, serializedState, size);
}

FMI2_API fmi2Status FMI2(DeSerializeFMUstate)(fmi2Component c, const fmi2Byte serializedState[],
                                              size_t size, fmi2FMUstate *FMUstate)
{
  FMI2_ENTER(DeSerializeFMUstate, FMU_ANY);
  return (fmi2Status)fmu_read_state(f, serializedState, size, FMUstate);
}

FMI2_API fmi2Status FMI2(GetDirectionalDerivative)(fmi2Component c,
                                                   const fmi2ValueReference vUnknown_ref[],
                                                   size_t nUnknown,
                                                   const fmi2ValueReference vKnown_ref[],
                                                   size_t nKnown, const fmi2Real dvKnown[],
                                                   fmi2Real dvUnknown[])
{
  FMI2_ENTER(GetDirectionalDerivative, FMU_ANY & ~FMU_INSTANTIATED);
  return (fmi2Status)fmu_differentiate(f, vUnknown_ref, nUnknown, vKnown_ref, nKnown, dvKnown,
                                       dvUnknown, 0);
}

// ---- model exchange -----------------------------------------------------------------------------

FMI2_API fmi2Status FMI2(EnterEventMode)(fmi2Component c)
{
  FMI2_ENTER(EnterEventMode, FMU_EVENT | FMU_CONTINUOUS);
  f->s.mode = FMU_EVENT;
  return fmi2OK;
}

FMI2_API fmi2Status FMI2(NewDiscreteStates)(fmi2Component c, fmi2EventInfo *eventInfo)
{
  FMI2_ENTER(NewDiscreteStates, FMU_EVENT);
  memset(eventInfo, 0, sizeof *eventInfo);
  return fmi2OK;
}

FMI2_API fmi2Status FMI2(EnterContinuousTimeMode)(fmi2Component c)
{
  FMI2_ENTER(EnterContinuousTimeMode, FMU_EVENT);
  f->s.mode = FMU_CONTINUOUS;
  return fmi2OK;
}

FMI2_API fmi2Status FMI2(CompletedIntegratorStep)(fmi2Component c,
                                                  fmi2Boolean noSetFMUStatePriorToCurrentPoint,
                                                  fmi2Boolean *enterEventMode,
                                                  fmi2Boolean *terminateSimulation)
{
  FMI2_ENTER(CompletedIntegratorStep, FMU_CONTINUOUS);
  (void)noSetFMUStatePriorToCurrentPoint;
  *enterEventMode = 0;
  *terminateSimulation = 0;
  return fmi2OK;
}

FMI2_API fmi2Status FMI2(SetTime)(fmi2Component c, fmi2Real time)
{
  FMI2_ENTER(SetTime, FMU_EVENT | FMU_CONTINUOUS);
  f->s.time = time;
  return fmi2OK;
}

FMI2_API fmi2Status FMI2(SetContinuousStates)(fmi2Component c, const fmi2Real x[], size_t nx)
{
  FMI2_ENTER(SetContinuousStates, FMU_EVENT | FMU_CONTINUOUS);
  return (fmi2Status)fmu_set_states(f, x, nx);
}

static fmi2Status fmi2_n_states(fmu *f, size_t n)
{
  if (n == FMU_N_X) return fmi2OK;
  return (fmi2Status)fmu_fail(f, FMU_ERROR, "there are %d states, not %lu", FMU_N_X,
                              (unsigned long)n);
}

FMI2_API fmi2Status FMI2(GetDerivatives)(fmi2Component c, fmi2Real derivatives[], size_t nx)
{
  FMI2_ENTER(GetDerivatives, FMU_INIT | FMU_EVENT | FMU_CONTINUOUS | FMU_TERMINATED);
  fmi2Status status = fmi2_n_states(f, nx);
  return status == fmi2OK ? (fmi2Status)fmu_derivatives(f, derivatives) : status;
}

FMI2_API fmi2Status FMI2(GetEventIndicators)(fmi2Component c, fmi2Real eventIndicators[], size_t ni)
{
  (void)eventIndicators;
  return fmi2_none(c, ni, "fmi2GetEventIndicators");
}

FMI2_API fmi2Status FMI2(GetContinuousStates)(fmi2Component c, fmi2Real x[], size_t nx)
{
  FMI2_ENTER(GetContinuousStates, FMU_INIT | FMU_EVENT | FMU_CONTINUOUS | FMU_TERMINATED);
  fmi2Status status = fmi2_n_states(f, nx);
  if (status == fmi2OK) memcpy(x, f->s.x, sizeof f->s.x);
  return status;
}

FMI2_API fmi2Status FMI2(GetNominalsOfContinuousStates)(fmi2Component c, fmi2Real x_nominal[],
                                                        size_t nx)
{
  FMI2_ENTER(GetNominalsOfContinuousStates, FMU_ANY);
  fmi2Status status = fmi2_n_states(f, nx);
  if (status == fmi2OK) memcpy(x_nominal, fmu_nominal_x, sizeof fmu_nominal_x);
  return status;
}

// ---- co-simulation ------------------------------------------------------------------------------

FMI2_API fmi2Status FMI2(SetRealInputDerivatives)(fmi2Component c, const fmi2ValueReference vr[],
                                                  size_t nvr, const fmi2Integer order[],
                                                  const fmi2Real value[])
{
  (void)vr, (void)order, (void)value;
  return fmi2_none(c, nvr, "fmi2SetRealInputDerivatives");
}

FMI2_API fmi2Status FMI2(GetRealOutputDerivatives)(fmi2Component c, const fmi2ValueReference vr[],
                                                   size_t nvr, const fmi2Integer order[],
                                                   fmi2Real value[])
{
  (void)vr, (void)order, (void)value;
  return fmi2_none(c, nvr, "fmi2GetRealOutputDerivatives");
}

FMI2_API fmi2Status FMI2(DoStep)(fmi2Component c, fmi2Real currentCommunicationPoint,
                                 fmi2Real communicationStepSize,
                                 fmi2Boolean noSetFMUStatePriorToCurrentPoint)
{
  FMI2_ENTER(DoStep, FMU_STEPPING);
  (void)noSetFMUStatePriorToCurrentPoint;
  return (fmi2Status)fmu_do_step(f, currentCommunicationPoint, communicationStepSize);
}

FMI2_API fmi2Status FMI2(CancelStep)(fmi2Component c)
{
  return fmi2_none(c, 1, "fmi2CancelStep (no step is ever pending)");
}

FMI2_API fmi2Status FMI2(GetStatus)(fmi2Component c, const fmi2StatusKind s, fmi2Status *value)
{
  (void)s, (void)value;
  return c ? fmi2Discard : fmi2Error;  // of steps that were pending
}

FMI2_API fmi2Status FMI2(GetRealStatus)(fmi2Component c, const fmi2StatusKind s, fmi2Real *value)
{
  if (!c) return fmi2Error;
  if (s != fmi2LastSuccessfulTime) return fmi2Discard;
  *value = ((const fmu *)c)->s.time;
  return fmi2OK;
}

FMI2_API fmi2Status FMI2(GetIntegerStatus)(fmi2Component c, const fmi2StatusKind s,
                                           fmi2Integer *value)
{
  (void)s, (void)value;
  return c ? fmi2Discard : fmi2Error;
}

FMI2_API fmi2Status FMI2(GetBooleanStatus)(fmi2Component c, const fmi2StatusKind s,
                                           fmi2Boolean *value)
{
  if (!c) return fmi2Error;
  if (s != fmi2Terminated) return fmi2Discard;
  *value = 0;  // the model never asks for the end
  return fmi2OK;
}

FMI2_API fmi2Status FMI2(GetStringStatus)(fmi2Component c, const fmi2StatusKind s,
                                          fmi2String *value)
{
  (void)s, (void)value;
  return c ? fmi2Discard : fmi2Error;
}
