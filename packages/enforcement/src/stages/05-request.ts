import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { Destination } from '@svc/domain/tools/destinations/parse-destination.ts';
import { isFaults } from '@svc/domain/tools/fault.ts';
import { deriveFields } from '@svc/domain/tools/request/derive-fields.ts';
import { findStatedCurrencyFault } from '@svc/domain/tools/request/stated-currency-fault.ts';
import { buildCall, callDestination } from '../execution/build-call.ts';
import type { Facts, Learned } from '../facts/facts.ts';
import type { ParameterFault } from '../facts/snapshots.ts';
import { defineStage, refuseStage, requireKnown, type StageAnswer } from '../facts/stage.ts';

const REFUSES = ['VALIDATION_FAILED'] as const;
type Answer = StageAnswer<(typeof REFUSES)[number]>;

const NO_PARAMETERS = Object.freeze({});

const isSamePlace = (a: Destination, b: Destination): boolean => a.host === b.host && a.port === b.port;

const invalid = (faults: readonly ParameterFault[]): Answer =>
  refuseStage('VALIDATION_FAILED', 'The request does not match the declaration of the tool.', { faults });

/** Checks that the request matches the tool's declaration: nothing can be omitted or contradicted to bypass a rule. */
const checkRequest = ({ request, environment, parametersBytes }: Facts, learned: Learned): Answer => {
  const tool = requireKnown(learned.tool, 'tool');
  const parameters = request.parameters ?? NO_PARAMETERS;
  if (parametersBytes > LIMITS.bodies.parametersBytesMax)
    return invalid([{ pointer: '/parameters', message: 'must be at most 64 KiB as JSON' }]);
  const faults = tool.checkParameters(parameters);
  if (faults.length > 0) return invalid(faults);
  const derived = deriveFields(tool, parameters, request);
  if (isFaults(derived)) return invalid(derived.faults);
  const chosen = findStatedCurrencyFault(tool, derived.currency, environment.base_currency);
  if (chosen) return invalid([chosen]);
  const execution = buildCall(tool, parameters);
  if (execution && isFaults(execution)) return invalid(execution.faults);
  const called = execution ? callDestination(execution) : derived.destination;
  if (called && 'fault' in called) return invalid([{ pointer: '/parameters', message: called.fault }]);
  if (called && derived.destination && !isSamePlace(called, derived.destination)) {
    return invalid([{ pointer: '/destination', message: `contradicts ${called.host}:${called.port}, the address that the tool calls` }]);
  }
  const amount = derived.amount ?? null;
  const currency = amount === null ? (derived.currency ?? null) : (derived.currency ?? environment.base_currency);
  return { outcome: 'passed', learned: { derived: { parameters, amount, currency, destination: called ?? null, execution } } };
};

export const request = defineStage({ name: 'request', relaxedByObserve: false, refuses: REFUSES, check: checkRequest });
