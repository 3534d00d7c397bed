// SPDX-License-Identifier: BSD-3-Clause
// fmi3_absent.c: functions of FMI 3.0 for what a reduced model has not: variables of other types
// than Float64, dependencies of single elements, structural parameters, clocks, scheduled
// execution. They exist, and say so.

// ---- variables of other types -------------------------------------------------------------------

#define FMI3_NO_VARIABLES(type)                                                                    \
  FMI3_API fmi3Status FMI3(Get##type)(                                                             \
      fmi3Instance instance, const fmi3ValueReference valueReferences[], size_t nValueReferences,  \
      fmi3##type values[], size_t nValues)                                                         \
  {                                                                                                \
    (void)valueReferences, (void)values, (void)nValues;                                            \
    return fmi3_none(instance, nValueReferences, "fmi3Get" #type);                                 \
  }                                                                                                \
  FMI3_API fmi3Status FMI3(Set##type)(                                                             \
      fmi3Instance instance, const fmi3ValueReference valueReferences[], size_t nValueReferences,  \
      const fmi3##type values[], size_t nValues)                                                   \
  {                                                                                                \
    (void)valueReferences, (void)values, (void)nValues;                                            \
    return fmi3_none(instance, nValueReferences, "fmi3Set" #type);                                 \
  }
FMI3_NO_VARIABLES(Float32)
FMI3_NO_VARIABLES(Int8)
FMI3_NO_VARIABLES(UInt8)
FMI3_NO_VARIABLES(Int16)
FMI3_NO_VARIABLES(UInt16)
FMI3_NO_VARIABLES(Int32)
FMI3_NO_VARIABLES(UInt32)
FMI3_NO_VARIABLES(Int64)
FMI3_NO_VARIABLES(UInt64)
FMI3_NO_VARIABLES(Boolean)
FMI3_NO_VARIABLES(String)

FMI3_API fmi3Status FMI3(GetBinary)(fmi3Instance instance,
                                    const fmi3ValueReference valueReferences[],
                                    size_t nValueReferences, size_t valueSizes[],
                                    fmi3Binary values[], size_t nValues)
{
  (void)valueReferences, (void)valueSizes, (void)values, (void)nValues;
  return fmi3_none(instance, nValueReferences, "fmi3GetBinary");
}

FMI3_API fmi3Status FMI3(SetBinary)(fmi3Instance instance,
                                    const fmi3ValueReference valueReferences[],
                                    size_t nValueReferences, const size_t valueSizes[],
                                    const fmi3Binary values[], size_t nValues)
{
  (void)valueReferences, (void)valueSizes, (void)values, (void)nValues;
  return fmi3_none(instance, nValueReferences, "fmi3SetBinary");
}

FMI3_API fmi3Status FMI3(GetClock)(fmi3Instance instance,
                                   const fmi3ValueReference valueReferences[],
                                   size_t nValueReferences, fmi3Clock values[])
{
  (void)valueReferences, (void)values;
  return fmi3_none(instance, nValueReferences, "fmi3GetClock");
}

FMI3_API fmi3Status FMI3(SetClock)(fmi3Instance instance,
                                   const fmi3ValueReference valueReferences[],
                                   size_t nValueReferences, const fmi3Clock values[])
{
  (void)valueReferences, (void)values;
  return fmi3_none(instance, nValueReferences, "fmi3SetClock");
}

FMI3_API fmi3Status FMI3(GetNumberOfVariableDependencies)(fmi3Instance instance,
                                                          fmi3ValueReference valueReference,
                                                          size_t *nDependencies)
{
  (void)valueReference, (void)nDependencies;
  return fmi3_none(instance, 1, "fmi3GetNumberOfVariableDependencies");
}

FMI3_API fmi3Status FMI3(GetVariableDependencies)(
    fmi3Instance instance, fmi3ValueReference dependent, size_t elementIndicesOfDependent[],
    fmi3ValueReference independents[], size_t elementIndicesOfIndependents[],
    fmi3DependencyKind dependencyKinds[], size_t nDependencies)
{
  (void)dependent, (void)elementIndicesOfDependent, (void)independents;
  (void)elementIndicesOfIndependents, (void)dependencyKinds;
  return fmi3_none(instance, nDependencies, "fmi3GetVariableDependencies");
}

// ---- structural parameters, clocks: there are none ----------------------------------------------

FMI3_API fmi3Status FMI3(EnterConfigurationMode)(fmi3Instance instance)
{
  return fmi3_none(instance, 1, "fmi3EnterConfigurationMode");
}

FMI3_API fmi3Status FMI3(ExitConfigurationMode)(fmi3Instance instance)
{
  return fmi3_none(instance, 1, "fmi3ExitConfigurationMode");
}

FMI3_API fmi3Status FMI3(GetIntervalDecimal)(fmi3Instance instance,
                                             const fmi3ValueReference valueReferences[],
                                             size_t nValueReferences, fmi3Float64 intervals[],
                                             fmi3IntervalQualifier qualifiers[])
{
  (void)valueReferences, (void)intervals, (void)qualifiers;
  return fmi3_none(instance, nValueReferences, "fmi3GetIntervalDecimal");
}

FMI3_API fmi3Status FMI3(GetIntervalFraction)(fmi3Instance instance,
                                              const fmi3ValueReference valueReferences[],
                                              size_t nValueReferences, fmi3UInt64 counters[],
                                              fmi3UInt64 resolutions[],
                                              fmi3IntervalQualifier qualifiers[])
{
  (void)valueReferences, (void)counters, (void)resolutions, (void)qualifiers;
  return fmi3_none(instance, nValueReferences, "fmi3GetIntervalFraction");
}

FMI3_API fmi3Status FMI3(GetShiftDecimal)(fmi3Instance instance,
                                          const fmi3ValueReference valueReferences[],
                                          size_t nValueReferences, fmi3Float64 shifts[])
{
  (void)valueReferences, (void)shifts;
  return fmi3_none(instance, nValueReferences, "fmi3GetShiftDecimal");
}

FMI3_API fmi3Status FMI3(GetShiftFraction)(fmi3Instance instance,
                                           const fmi3ValueReference valueReferences[],
                                           size_t nValueReferences, fmi3UInt64 counters[],
                                           fmi3UInt64 resolutions[])
{
  (void)valueReferences, (void)counters, (void)resolutions;
  return fmi3_none(instance, nValueReferences, "fmi3GetShiftFraction");
}

FMI3_API fmi3Status FMI3(SetIntervalDecimal)(fmi3Instance instance,
                                             const fmi3ValueReference valueReferences[],
                                             size_t nValueReferences, const fmi3Float64 intervals[])
{
  (void)valueReferences, (void)intervals;
  return fmi3_none(instance, nValueReferences, "fmi3SetIntervalDecimal");
}

FMI3_API fmi3Status FMI3(SetIntervalFraction)(fmi3Instance instance,
                                              const fmi3ValueReference valueReferences[],
                                              size_t nValueReferences, const fmi3UInt64 counters[],
                                              const fmi3UInt64 resolutions[])
{
  (void)valueReferences, (void)counters, (void)resolutions;
  return fmi3_none(instance, nValueReferences, "fmi3SetIntervalFraction");
}

FMI3_API fmi3Status FMI3(SetShiftDecimal)(fmi3Instance instance,
                                          const fmi3ValueReference valueReferences[],
                                          size_t nValueReferences, const fmi3Float64 shifts[])
{
  (void)valueReferences, (void)shifts;
  return fmi3_none(instance, nValueReferences, "fmi3SetShiftDecimal");
}

FMI3_API fmi3Status FMI3(SetShiftFraction)(fmi3Instance instance,
                                           const fmi3ValueReference valueReferences[],
                                           size_t nValueReferences, const fmi3UInt64 counters[],
                                           const fmi3UInt64 resolutions[])
{
  (void)valueReferences, (void)counters, (void)resolutions;
  return fmi3_none(instance, nValueReferences, "fmi3SetShiftFraction");
}

FMI3_API fmi3Status FMI3(ActivateModelPartition)(fmi3Instance instance,
                                                 fmi3ValueReference clockReference,
                                                 fmi3Float64 activationTime)
{
  (void)clockReference, (void)activationTime;
  return fmi3_none(instance, 1, "fmi3ActivateModelPartition");
}
