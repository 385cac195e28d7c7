import { buildCredentialBody } from '@svc/catalogue/credential-body.ts';
import { serviceActions } from '@svc/catalogue/describe-application.ts';
import { type Filled, fillValues, findSecretFaults } from '@svc/catalogue/fill-values.ts';
import { proposeApplication } from '@svc/catalogue/propose-application.ts';
import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { EndpointBody } from '@svc/contract/rows/endpoint.ts';
import { buildRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import type { CatalogueEntry } from '@svc/contract/tools/catalogue-entry.ts';
import type { ToolDeclaration } from '@svc/contract/tools/tools.ts';
import { type Fault, isFaults } from '@svc/domain/tools/fault.ts';
import { isNotProposed, type ProposedTool, type RejectedOperation } from '@svc/domain/tools/tool-imports/draft/proposal.ts';

type Body = EndpointBody<Endpoints['createIntegration']>;
export type CredentialBody = EndpointBody<Endpoints['createCredential']>;

/** An application with everything derived from the entered values. Nothing of it is stored yet. */
export type SetUp = {
  readonly entry: CatalogueEntry;
  readonly filled: Filled;
  readonly source: string;
  readonly name: string;
  readonly keys: readonly string[];
  readonly proposals: readonly (ProposedTool | RejectedOperation)[];
  /** Undefined if the request names a stored credential. */
  readonly credential: CredentialBody | undefined;
};

const NEITHER = 'Send either secrets or credential_id.';

const keyFaults = (entry: CatalogueEntry, keys: readonly string[]): readonly Fault[] =>
  keys.flatMap((key, at) =>
    serviceActions(entry).some((action) => action.key === key)
      ? []
      : [{ pointer: `/actions/${at}`, message: 'is no action that the service performs for this application' }],
  );

const invalid = (faults: readonly Fault[]): Refusal<'VALIDATION_FAILED'> =>
  buildRefusal('VALIDATION_FAILED', 'The integration is not valid.', { faults });

const needsSecrets = ({ enter }: CatalogueEntry): boolean => enter.some(({ secret, required }) => secret && required);

/** Returns the proposals of an application with entered values, or the faults of the values and of the chosen actions. */
export const fillApplication = (
  entry: CatalogueEntry,
  { values, actions }: { readonly values?: Readonly<Record<string, string>> | undefined; readonly actions?: readonly string[] | undefined },
  source: string,
): Pick<SetUp, 'filled' | 'proposals' | 'keys'> | Refusal<'VALIDATION_FAILED'> => {
  const filled = fillValues(entry, { values });
  const keys = actions ?? serviceActions(entry).map(({ key }) => key);
  const faults = [...(isFaults(filled) ? filled.faults : []), ...keyFaults(entry, keys)];
  if (isFaults(filled) || faults.length > 0) return invalid(faults);
  return { filled, keys, proposals: proposeApplication(entry, filled, source) };
};

const getCredential = (entry: CatalogueEntry, body: Body, filled: Filled, source: string, name: string, proposals: SetUp['proposals']) => {
  if (entry.credential === null || body.credential_id !== undefined) return undefined;
  const destinations = proposals.flatMap((each) => (isNotProposed(each) ? [] : each.declaration.destination_allowlist));
  return {
    name,
    description: `Key of ${entry.name}, stored by its integration.`,
    environment_id: body.environment_id,
    destinations: [...new Set(destinations)],
    tools: serviceActions(entry).map(({ key }) => `${source}.${key}`),
    ...buildCredentialBody(entry.credential, filled, body.secrets ?? []),
  };
};

/** Returns what a request sets up, or refuses it. */
export const readSetUp = (entry: CatalogueEntry, body: Body, source: string): SetUp | Refusal<'VALIDATION_FAILED' | 'UNPROCESSABLE'> => {
  if (serviceActions(entry).length === 0)
    return buildRefusal('UNPROCESSABLE', `The service performs no action of ${entry.name}; the catalogue states the reasons.`);
  const { secrets, credential_id } = body;
  if (credential_id !== undefined && secrets !== undefined) return invalid([{ pointer: '/credential_id', message: NEITHER }]);
  if (credential_id === undefined && secrets === undefined && needsSecrets(entry)) return invalid([{ pointer: '', message: NEITHER }]);
  const wrong = credential_id === undefined ? findSecretFaults(entry, secrets ?? []) : [];
  if (wrong.length > 0) return invalid(wrong);
  const read = fillApplication(entry, body, source);
  if ('refused' in read) return read;
  const name = body.name ?? (source === entry.key ? entry.name : `${entry.name} (${source})`);
  return { entry, source, name, ...read, credential: getCredential(entry, body, read.filled, source, name, read.proposals) };
};

/** Returns the declarations of the chosen actions, in the order of the entry. */
export const getChosenDeclarations = (
  { proposals, keys, source }: Pick<SetUp, 'proposals' | 'keys' | 'source'>,
  environmentId: string,
): readonly ToolDeclaration[] =>
  proposals.flatMap((each) =>
    isNotProposed(each) || !keys.includes(each.key)
      ? []
      : [{ ...each.declaration, name: `${source}.${each.key}`, environment_id: environmentId, kind: 'HTTP' as const }],
  );
