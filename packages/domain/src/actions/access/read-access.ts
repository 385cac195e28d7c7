import type { AccessEvaluation } from '@svc/contract/actions/access.ts';
import type { Fault } from '@svc/contract/rows/fault.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';

const { nameCharsMax, idCharsMax } = LIMITS.access;

/** Type of the resource that represents a tool of this service, as in the binding of AuthZEN to MCP. */
export const TOOL_TYPE = 'tool';
/** Names of the one action that a tool has. */
export const TOOL_ACTIONS: readonly string[] = ['call', 'tools/call'];

/** An evaluation as a request for a tool. `accepts` names the obligations that the caller carries out. */
export type AccessRequest = {
  readonly tool: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly dry_run: boolean;
  readonly delegation_id?: string;
  readonly approval_id?: string;
  readonly destination?: string;
  readonly accepts: readonly string[];
};

type Members = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Members => typeof value === 'object' && value !== null && !Array.isArray(value);

const textFaults = (owner: Members, pointer: string, name: string, charsMax: number): Fault[] => {
  const value = owner[name];
  if (typeof value === 'string' && value !== '' && value.length <= charsMax) return [];
  return [{ pointer: `${pointer}/${name}`, message: `Must be a string of 1 to ${charsMax} characters.` }];
};

const objectFaults = (owner: Members, pointer: string, name: string): Fault[] =>
  owner[name] === undefined || isObject(owner[name]) ? [] : [{ pointer: `${pointer}/${name}`, message: 'Must be an object.' }];

const entityFaults = (value: unknown, pointer: string, required: Readonly<Record<string, number>>): Fault[] => {
  if (!isObject(value)) return [{ pointer, message: 'Must be an object.' }];
  const texts = Object.entries(required).flatMap(([name, charsMax]) => textFaults(value, pointer, name, charsMax));
  return [...texts, ...objectFaults(value, pointer, 'properties')];
};

/** Returns the faults of an evaluation of a batch, after the defaults were merged; empty if it has the shape of `AccessEvaluation`. */
export const findEvaluationFaults = (merged: Members): Fault[] => [
  ...entityFaults(merged.subject, '/subject', { type: nameCharsMax, id: idCharsMax }),
  ...entityFaults(merged.action, '/action', { name: nameCharsMax }),
  ...entityFaults(merged.resource, '/resource', { type: nameCharsMax, id: idCharsMax }),
  ...objectFaults(merged, '', 'context'),
];

const CONTROLS = ['dry_run', 'delegation_id', 'approval_id', 'destination', 'accepts'] as const;

const contextFaults = (context: Members): Fault[] => {
  const isText = (value: unknown, charsMax: number) =>
    value === undefined || (typeof value === 'string' && value.length > 0 && value.length <= charsMax);
  const { dry_run, delegation_id, approval_id, destination, accepts } = context;
  return [
    ...(dry_run === undefined || typeof dry_run === 'boolean' ? [] : [{ pointer: '/context/dry_run', message: 'Must be true or false.' }]),
    ...(isText(delegation_id, 64) ? [] : [{ pointer: '/context/delegation_id', message: 'Must be an id.' }]),
    ...(isText(approval_id, 64) ? [] : [{ pointer: '/context/approval_id', message: 'Must be an id.' }]),
    ...(isText(destination, 2_000) ? [] : [{ pointer: '/context/destination', message: 'Must be a host, host:port or URL.' }]),
    ...(accepts === undefined || (Array.isArray(accepts) && accepts.every((each) => typeof each === 'string'))
      ? []
      : [{ pointer: '/context/accepts', message: 'Must be a list of strings.' }]),
  ];
};

/**
 * Maps an AuthZEN evaluation to a request for a tool. A resource of the type `tool` is the tool with that name or id, and its properties are the
 * arguments. Any other resource is the tool `<resource type>.<action name>`, whose parameters are the members of the evaluation.
 * Returns faults with pointers if a member of the context that controls the evaluation has the wrong type.
 */
export const readAccess = (
  evaluation: Omit<AccessEvaluation, 'context'> & { readonly context?: AccessEvaluation['context'] | undefined },
): AccessRequest | readonly Fault[] => {
  const { subject, action, resource, context = {} } = evaluation;
  const faults = contextFaults(context);
  if (faults.length > 0) return faults;
  const isTool = resource.type === TOOL_TYPE;
  const rest = Object.fromEntries(Object.entries(context).filter(([name]) => !(CONTROLS as readonly string[]).includes(name)));
  const { dry_run, delegation_id, approval_id, destination, accepts } = context as {
    readonly [Name in (typeof CONTROLS)[number]]?: never;
  };
  return {
    tool: isTool ? resource.id : `${resource.type}.${action.name}`,
    parameters: isTool ? (resource.properties ?? {}) : { subject, action, resource, context: rest },
    dry_run: dry_run === true,
    ...(delegation_id === undefined ? {} : { delegation_id }),
    ...(approval_id === undefined ? {} : { approval_id }),
    ...(destination === undefined ? {} : { destination }),
    accepts: accepts ?? [],
  };
};
