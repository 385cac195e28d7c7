import type { SignalName } from '@svc/contract/risk/signal-table.ts';
import type { SignalDefinition } from './signal.ts';
import { assertionFailures } from './signals/assertion-failures.ts';
import { contextChurn } from './signals/context-churn.ts';
import { enumeration } from './signals/enumeration.ts';
import { firstToolUse } from './signals/first-tool-use.ts';
import { injectionMarks } from './signals/injection-marks.ts';
import { keyJustRotated } from './signals/key-just-rotated.ts';
import { newDestination } from './signals/new-destination.ts';
import { newSourceAddress } from './signals/new-source-address.ts';
import { personalDataInParameters } from './signals/personal-data-in-parameters.ts';
import { probing } from './signals/probing.ts';
import { repeatedRefusals } from './signals/repeated-refusals.ts';
import { secretInParameters } from './signals/secret-in-parameters.ts';
import { toolJustChanged } from './signals/tool-just-changed.ts';
import { unusualAmount } from './signals/unusual-amount.ts';
import { unusualHour } from './signals/unusual-hour.ts';
import { velocitySpike } from './signals/velocity-spike.ts';

const BY_NAME: Readonly<Record<SignalName, SignalDefinition>> = {
  first_tool_use: firstToolUse,
  new_destination: newDestination,
  new_source_address: newSourceAddress,
  key_just_rotated: keyJustRotated,
  context_churn: contextChurn,
  unusual_amount: unusualAmount,
  velocity_spike: velocitySpike,
  enumeration,
  repeated_refusals: repeatedRefusals,
  probing,
  unusual_hour: unusualHour,
  secret_in_parameters: secretInParameters,
  personal_data_in_parameters: personalDataInParameters,
  injection_marks: injectionMarks,
  tool_just_changed: toolJustChanged,
  assertion_failures: assertionFailures,
};

/** Every signal, in the order of the table. */
export const RISK_SIGNALS: readonly SignalDefinition[] = Object.values(BY_NAME);
