import type { CatalogueEntry, CatalogueParameter, ServiceAction } from '@svc/contract/tools/catalogue-entry.ts';
import type { WantedCredential } from '@svc/contract/tools/tool-imports.ts';
import type { ProposalDraft, ProposedTool, RejectedOperation } from '@svc/domain/tools/tool-imports/draft/proposal.ts';
import { finishProposal } from '@svc/domain/tools/tool-imports/judge/finish-proposal.ts';
import { newResolve } from '@svc/domain/tools/tool-imports/schema/resolve-reference.ts';
import { serviceActions } from './describe-application.ts';
import { type Filled, fillText } from './fill-values.ts';

const SENDS_BODY: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);
const FORM = 'application/x-www-form-urlencoded';

const schemaOf = ({ type, items, enum: words, format, minimum, maximum, max_length, max_items }: CatalogueParameter): object => ({
  type,
  ...(items === undefined ? {} : { items: { type: items } }),
  ...(words === undefined ? {} : { enum: words }),
  ...(format === undefined ? {} : { format }),
  ...(minimum === undefined ? {} : { minimum }),
  ...(maximum === undefined ? {} : { maximum }),
  ...(max_length === undefined ? {} : { maxLength: max_length }),
  ...(max_items === undefined ? {} : { maxItems: max_items }),
});

const among = (action: ServiceAction, position: CatalogueParameter['in']): Record<string, string> =>
  Object.fromEntries(action.parameters.filter((each) => each.in === position).map(({ name, sent_as }) => [sent_as ?? name, `{${name}}`]));

/** Braces of an entered value would be read as a parameter. */
const literal = (text: string): string => text.replace(/[{}]/g, '$&$&');

const itemsIn = ({ extra_items }: CatalogueEntry, position: 'HEADER' | 'QUERY', filled: Filled): Record<string, string> =>
  Object.fromEntries(extra_items.filter((item) => item.in === position).map(({ name, value }) => [name, literal(fillText(value, filled))]));

const withoutTrailingSlash = (url: string): string => (url.endsWith('/') ? url.slice(0, -1) : url);

const bodyOf = (action: ServiceAction): Pick<ProposalDraft, 'body' | 'graphql'> => {
  if (action.graphql !== undefined) {
    const variables = action.graphql.variables as Record<string, unknown>;
    return { graphql: { query: action.graphql.query, variables } };
  }
  return SENDS_BODY.has(action.method) ? { body: action.body ?? among(action, 'body') } : {};
};

const wantedOf = ({ credential, name }: CatalogueEntry): readonly WantedCredential[] => {
  if (credential === null) return [];
  const { scheme, placement, oauth, extras = [] } = credential;
  const positions = extras.map(({ in: position, name: item }) => ({ in: position, name: item }));
  return [
    {
      scheme: oauth === undefined ? scheme : 'OAUTH',
      name,
      placement,
      scopes: oauth?.scope === undefined ? [] : oauth.scope.split(' '),
      ...(positions.length === 0 ? {} : { extras: positions }),
    },
  ];
};

const draftOf = (entry: CatalogueEntry, action: ServiceAction, filled: Filled): ProposalDraft => {
  const { key, name, summary, constraint, method, path, risk, body_format, source } = action;
  const isForm = body_format === 'form' && SENDS_BODY.has(method);
  const description = [`${name}.`, summary, constraint].filter((text) => text !== undefined).join(' ');
  return {
    key,
    operation: `${method} ${path}`,
    summary: name,
    description,
    method,
    url: withoutTrailingSlash(fillText(entry.api?.base_url ?? '', filled)) + fillText(path, filled),
    headers: { ...itemsIn(entry, 'HEADER', filled), ...among(action, 'header'), ...(isForm ? { 'content-type': FORM } : {}) },
    query: { ...itemsIn(entry, 'QUERY', filled), ...among(action, 'query') },
    ...bodyOf(action),
    parameters: action.parameters.map((each) => ({
      name: each.name,
      schema: schemaOf(each),
      required: each.required,
      description: each.summary ?? '',
    })),
    group: key.split('.', 1)[0] ?? key,
    reads: action.side_effects === 'NONE',
    words: [key, name],
    called: [key],
    credentials: wantedOf(entry),
    notes: [`Described by ${source.pointer} of ${source.id}.`],
    isDeprecated: false,
    judged: { ...risk, reasons: [`Rated in the catalogue. Side effects: ${action.side_effects.toLowerCase()}.`] },
  };
};

/** The tools of an application with the values that were entered: a proposal for each action that the service performs. */
export const proposeApplication = (
  entry: CatalogueEntry,
  filled: Filled,
  source: string,
): readonly (ProposedTool | RejectedOperation)[] => {
  const resolve = newResolve({});
  return serviceActions(entry).map((action) => finishProposal(draftOf(entry, action, filled), resolve, { source }));
};
