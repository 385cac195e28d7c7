/** Judges and cleans results of tools. A result always passes; findings are kept with the action. */
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { formatPointer } from '@svc/domain/tools/json-pointer.ts';
import { type DefinitionFinding, keepGravest, newFinding, type Span } from './finding.ts';
import type { ToolContext } from './known-tools.ts';
import { PHRASES, RESULT_PHRASES } from './phrases.ts';
import { isAllowedLink, isKnownContent } from './result-content.ts';
import { judgeText, type TextTerms } from './text-findings.ts';

type Members = Readonly<Record<string, unknown>>;

const NO_TOOLS: ToolContext = { serverName: '', ownTools: [], otherTools: [] };
const TERMS: TextTerms = { context: NO_TOOLS, stopsAtControls: false, phrases: [...RESULT_PHRASES, ...PHRASES] };

const { searchedCharsMax, contentBlocksMax } = LIMITS.mcp;
const TEXT_CHARS_MAX = 1_048_576;
const VALUES_MAX = 10_000;
const DEPTH_MAX = 64;

const isMembers = (value: unknown): value is Members => typeof value === 'object' && value !== null && !Array.isArray(value);

/** A position in a result, and how much of the result may still be searched. */
type Search = { readonly findings: DefinitionFinding[]; charsLeft: number; valuesLeft: number };

const judgeString = (text: string, tokens: readonly string[], search: Search): void => {
  const pointer = formatPointer(tokens);
  if (text.length > TEXT_CHARS_MAX) {
    const explanation = `The text has ${text.length} characters, of which only the first are searched.`;
    search.findings.push(newFinding({ pointer, text }, { kind: 'LARGE_TEXT', severity: 'low', start: 0, end: 0, explanation }));
  }
  const read = text.slice(0, search.charsLeft);
  search.charsLeft -= read.length;
  search.findings.push(...judgeText({ pointer, text: read }, TERMS));
};

const judgeValue = (value: unknown, tokens: readonly string[], search: Search): void => {
  search.valuesLeft -= 1;
  if (search.charsLeft <= 0 || search.valuesLeft <= 0 || tokens.length > DEPTH_MAX) return;
  if (typeof value === 'string') judgeString(value, tokens, search);
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) judgeValue(member, [...tokens, name], search);
};

const judgeBlock = (block: unknown, tokens: readonly string[], search: Search): void => {
  const add = (text: string, at: readonly string[], span: Omit<Span, 'start' | 'end'>): void =>
    void search.findings.push(newFinding({ pointer: formatPointer([...tokens, ...at]), text }, { ...span, start: 0, end: text.length }));
  if (!isKnownContent(block)) {
    const type = isMembers(block) ? String(block.type) : '';
    add(type, ['type'], { kind: 'UNKNOWN_CONTENT', severity: 'medium', explanation: 'Content of an unknown type is not passed on.' });
    return;
  }
  if (!isAllowedLink(block)) {
    const [holder, at] = isMembers(block.resource) ? [block.resource, ['resource', 'uri']] : [block, ['uri']];
    add(String(holder.uri), at, {
      kind: 'UNSAFE_LINK',
      severity: 'high',
      explanation: 'The link is to a place that clients must not open for a server.',
    });
  }
  const isBinary = block.type === 'image' || block.type === 'audio';
  judgeValue(isBinary ? { ...block, data: undefined } : block, tokens, search);
};

/** Returns the findings of a tool's result, the gravest first. At most 65,536 characters of it are searched. */
export const findResultFindings = (value: unknown): readonly DefinitionFinding[] => {
  const search: Search = { findings: [], charsLeft: searchedCharsMax, valuesLeft: VALUES_MAX };
  if (!isMembers(value)) return [];
  const content = Array.isArray(value.content) ? value.content.slice(0, contentBlocksMax) : [];
  content.forEach((block, index) => {
    judgeBlock(block, ['content', String(index)], search);
  });
  judgeValue(value.structuredContent, ['structuredContent'], search);
  return keepGravest(search.findings);
};
