import type { ToolDeclaration } from '@svc/contract/tools/tools.ts';
import type { Fault } from '../fault.ts';
import { formatPointer } from '../json-pointer.ts';
import { hideSecretLooks } from '../secret-looks.ts';
import { hideExecutionSecrets } from './hide-execution-secrets.ts';

const MESSAGE =
  'must not contain a secret, because every user who may read tools could read it. Store the secret as a credential (credential_id). Do not use a parameter either, because parameters are recorded. If this version stores no credentials, register the tool as SDK, so that the agent makes the call with its own secret';

/** Keywords whose values are data of the caller's and not a schema. */
const VALUES = new Set(['const', 'default', 'enum']);

const schemaPlaces = (value: unknown, path: readonly string[], isData: boolean): readonly string[] => {
  if (typeof value === 'string') return isData && hideSecretLooks(value, 'body', '') !== value ? [formatPointer(path)] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => schemaPlaces(member, [...path, name], isData || VALUES.has(name)));
};

/** Places of a declaration that hold a secret in clear, by their name or their look. The schema is within its bounds. */
export const declaredSecrets = ({
  execution,
  parameters_schema,
}: Pick<ToolDeclaration, 'execution' | 'parameters_schema'>): readonly Fault[] => {
  const places = [...schemaPlaces(parameters_schema, ['parameters_schema'], false)];
  if (execution !== undefined) hideExecutionSecrets(execution, (pointer) => void places.push(pointer));
  return places.map((pointer) => ({ pointer, message: MESSAGE }));
};
