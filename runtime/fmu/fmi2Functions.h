/* fmi2Functions.h - for sources of an FMU that include the header of the
 * standard and do not bring it: its types, and the prefix of its functions. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef fmi2Functions_h
#define fmi2Functions_h

#include "takt_fmi2.h"

#define fmi2Version       "2.0"
#define fmi2TypesPlatform "default"

#define fmi2GetTypesPlatform              FMI2(GetTypesPlatform)
#define fmi2GetVersion                    FMI2(GetVersion)
#define fmi2SetDebugLogging               FMI2(SetDebugLogging)
#define fmi2Instantiate                   FMI2(Instantiate)
#define fmi2FreeInstance                  FMI2(FreeInstance)
#define fmi2SetupExperiment               FMI2(SetupExperiment)
#define fmi2EnterInitializationMode       FMI2(EnterInitializationMode)
#define fmi2ExitInitializationMode        FMI2(ExitInitializationMode)
#define fmi2Terminate                     FMI2(Terminate)
#define fmi2Reset                         FMI2(Reset)
#define fmi2GetReal                       FMI2(GetReal)
#define fmi2GetInteger                    FMI2(GetInteger)
#define fmi2GetBoolean                    FMI2(GetBoolean)
#define fmi2GetString                     FMI2(GetString)
#define fmi2SetReal                       FMI2(SetReal)
#define fmi2SetInteger                    FMI2(SetInteger)
#define fmi2SetBoolean                    FMI2(SetBoolean)
#define fmi2SetString                     FMI2(SetString)
#define fmi2GetFMUstate                   FMI2(GetFMUstate)
#define fmi2SetFMUstate                   FMI2(SetFMUstate)
#define fmi2FreeFMUstate                  FMI2(FreeFMUstate)
#define fmi2SerializedFMUstateSize        FMI2(SerializedFMUstateSize)
#define fmi2SerializeFMUstate             FMI2(SerializeFMUstate)
#define fmi2DeSerializeFMUstate           FMI2(DeSerializeFMUstate)
#define fmi2GetDirectionalDerivative      FMI2(GetDirectionalDerivative)
#define fmi2EnterEventMode                FMI2(EnterEventMode)
#define fmi2NewDiscreteStates             FMI2(NewDiscreteStates)
#define fmi2EnterContinuousTimeMode       FMI2(EnterContinuousTimeMode)
#define fmi2CompletedIntegratorStep       FMI2(CompletedIntegratorStep)
#define fmi2SetTime                       FMI2(SetTime)
#define fmi2SetContinuousStates           FMI2(SetContinuousStates)
#define fmi2GetDerivatives                FMI2(GetDerivatives)
#define fmi2GetEventIndicators            FMI2(GetEventIndicators)
#define fmi2GetContinuousStates           FMI2(GetContinuousStates)
#define fmi2GetNominalsOfContinuousStates FMI2(GetNominalsOfContinuousStates)
#define fmi2SetRealInputDerivatives       FMI2(SetRealInputDerivatives)
#define fmi2GetRealOutputDerivatives      FMI2(GetRealOutputDerivatives)
#define fmi2DoStep                        FMI2(DoStep)
#define fmi2CancelStep                    FMI2(CancelStep)
#define fmi2GetStatus                     FMI2(GetStatus)
#define fmi2GetRealStatus                 FMI2(GetRealStatus)
#define fmi2GetIntegerStatus              FMI2(GetIntegerStatus)
#define fmi2GetBooleanStatus              FMI2(GetBooleanStatus)
#define fmi2GetStringStatus               FMI2(GetStringStatus)

#endif
