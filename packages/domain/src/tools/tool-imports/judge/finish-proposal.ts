import type { ProposedDeclaration } from '@svc/contract/tools/tool-imports.ts';
import { validateToolDeclaration } from '../../declaration/validate-tool-declaration.ts';
import { parseUrlTemplate } from '../../request/url-template.ts';
import type { ImportOptions, ProposalDraft, ProposedTool, RejectedOperation } from '../draft/proposal.ts';
import { toLine } from '../draft/reading.ts';
import { fitSchema } from '../schema/fit-schema.ts';
import type { Resolve } from '../schema/resolve-reference.ts';
import { carriedCall } from './carried-calls.ts';
import { type Judging, judgeRisk, onlyReads } from './judge-risk.ts';
import { deriveOperationKey } from './keys.ts';

const URL_CHARACTERS_MAX = 2_000;
const TEMPLATES_MAX = 32;
const GROUP_CHARACTERS_MAX = 20;
const NOTES_MAX = 12;
const CREDENTIALS_MAX = 8;
const FAULTS_TOLD = 2;

const getCapability = ({ source }: ImportOptions, draft: Judging): string => {
  const { group, method } = draft;
  const verb = method === 'DELETE' ? 'delete' : onlyReads(draft) ? 'read' : 'write';
  return `${source}.${deriveOperationKey(group)
    .slice(0, GROUP_CHARACTERS_MAX)
    .replace(/(?<!_)_+$/, '')}.${verb}`;
};

const getHost = (url: string): string[] => {
  const parsed = parseUrlTemplate(url);
  if ('fault' in parsed || parsed.destination === undefined) return [];
  const { scheme, host, port } = parsed.destination;
  return [port === (scheme === 'http' ? 80 : 443) ? host : `${host}:${port}`];
};

const getExecution = ({ method, url, headers, query, body, graphql }: ProposalDraft): ProposedDeclaration['execution'] => ({
  method,
  url,
  ...(Object.keys(headers).length === 0 ? {} : { headers }),
  ...(Object.keys(query).length === 0 ? {} : { query }),
  ...(body === undefined ? {} : { body }),
  ...(graphql === undefined ? {} : { graphql }),
});

const shapeFault = ({ url, headers, query }: ProposalDraft): string | undefined => {
  if (url.length > URL_CHARACTERS_MAX) return `Its address is longer than ${URL_CHARACTERS_MAX} characters.`;
  const isMany = [headers, query].some((templates) => Object.keys(templates).length > TEMPLATES_MAX);
  const isLong = [headers, query].some((templates) => Object.keys(templates).some((name) => name.length > 100));
  return isMany || isLong ? 'It has more or longer headers or query parameters than a tool can have.' : undefined;
};

/** Returns why it cannot be a tool, as a sentence. The remedies in the messages are for authors of declarations. */
const faultsTold = (faults: readonly { readonly pointer: string; readonly message: string }[]): string =>
  `It cannot be declared as a tool: ${faults
    .slice(0, FAULTS_TOLD)
    .map(({ pointer, message }) => `${toLine(pointer, 200)} ${toLine(message.split(/[:;]/, 1)[0], 300)}`)
    .join('; ')}.`;

/** The proposal that a draft becomes: its schema as a tool can hold it, judged as any declaration is. */
export const finishProposal = (draft: ProposalDraft, resolve: Resolve, options: ImportOptions): ProposedTool | RejectedOperation => {
  const { key, operation, summary, credentials } = draft;
  const refused = (sentence: string): RejectedOperation => ({ key, operation, summary, refused: sentence });
  const misshapen = shapeFault(draft);
  if (misshapen !== undefined) return refused(misshapen);
  const fitted = fitSchema(draft.parameters, resolve);
  if ('refused' in fitted) return refused(fitted.refused);
  const carries = carriedCall(draft, resolve);
  const judging = { ...draft, ...(carries === undefined ? {} : { carries }) };
  const { rating, dangerous, reasons } = draft.judged ?? judgeRisk(judging);
  const declaration: ProposedDeclaration = {
    description: draft.description,
    required_capability: getCapability(options, judging),
    destination_allowlist: getHost(draft.url),
    risk_rating: rating,
    dangerous,
    parameters_schema: fitted.schema,
    execution: getExecution(draft),
  };
  const faults = validateToolDeclaration({ kind: 'HTTP', ...declaration });
  if (faults.length > 0) return refused(faultsTold(faults));
  const more = credentials.length - CREDENTIALS_MAX;
  const notes = [
    ...(more > 0 ? [`It requires ${more} more secrets that are not listed.`] : []),
    ...(draft.isDeprecated ? ['The document marks it as deprecated.'] : []),
    ...draft.notes,
    ...fitted.notes,
  ];
  return {
    key,
    operation,
    summary,
    declaration,
    credentials: credentials.slice(0, CREDENTIALS_MAX),
    risk_reasons: reasons,
    notes: notes.length <= NOTES_MAX ? notes : [...notes.slice(0, NOTES_MAX - 1), `There are ${notes.length - NOTES_MAX + 1} more notes.`],
  };
};
