/**
 * Findings: what a reader of a definition, of instructions or of a result should look at. Findings show; only those with `stops` keep a tool from
 * being used until a person decides. No finding, and no absence of one, ever allows anything.
 */
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { drawInvisible } from '../definitions/visible-text.ts';

export type DefinitionSeverity = 'low' | 'medium' | 'high' | 'critical';

export type DefinitionFindingKind =
  | 'BIDI_CONTROLS'
  | 'CONCEALMENT'
  | 'CONTROL_CHARACTERS'
  | 'CONVERSATION_CAPTURE'
  | 'DISREGARDED_INSTRUCTIONS'
  | 'ENCODED_TEXT'
  | 'EXFILTRATION'
  | 'HIDDEN_BY_SPACE'
  | 'HIDDEN_MARKUP'
  | 'INVISIBLE_CHARACTERS'
  | 'LARGE_TEXT'
  | 'LOOKALIKE_NAME'
  | 'LOOKS_LIKE_REMOVED_TOOL'
  | 'MIXED_SCRIPT_NAME'
  | 'MODEL_INSTRUCTION'
  | 'OTHER_TOOL_REFERENCE'
  | 'PSEUDO_MARKUP'
  | 'SECRET_FILE'
  | 'SIDE_CHANNEL_PARAMETER'
  | 'TAG_CHARACTERS'
  | 'TOOL_CALL_REQUEST'
  | 'UI_RESOURCE'
  | 'UNKNOWN_CONTENT'
  | 'UNSAFE_LINK';

/** `start` and `end` are UTF-16 offsets in the text at `pointer`, or in the last name of the pointer where that name is judged. */
export type DefinitionFinding = {
  readonly kind: DefinitionFindingKind;
  readonly severity: DefinitionSeverity;
  readonly stops: boolean;
  readonly pointer: string;
  readonly start: number;
  readonly end: number;
  /** The place with its surroundings. Invisible characters are drawn. */
  readonly excerpt: string;
  readonly explanation: string;
};

/** A text that is judged, and the place where it is. */
export type JudgedText = { readonly pointer: string; readonly text: string };

/** A finding whose excerpt has not been cut yet. */
export type Span = Pick<DefinitionFinding, 'kind' | 'severity' | 'start' | 'end' | 'explanation'> & { readonly stops?: boolean };

const CONTEXT_CHARS = 40;
const SPAN_CHARS_MAX = 240;

/** Cuts a text, between whole characters, to what a page shows of it. */
const excerptAround = (text: string, start: number, end: number): string => {
  const [from, to] = [Math.max(0, start - CONTEXT_CHARS), Math.min(text.length, Math.min(end, start + SPAN_CHARS_MAX) + CONTEXT_CHARS)];
  return `${from > 0 ? '…' : ''}${drawInvisible(text.slice(from, to))}${to < text.length ? '…' : ''}`;
};

export const newFinding = ({ pointer, text }: JudgedText, { stops = false, ...span }: Span): DefinitionFinding => ({
  ...span,
  stops,
  pointer,
  excerpt: excerptAround(text, span.start, span.end),
});

const ORDER: readonly DefinitionSeverity[] = ['critical', 'high', 'medium', 'low'];

/** Sorts by severity, leaves out those that repeat one at the same place, and keeps the first 50. Spans of one text have no pointer. */
export const keepGravest = <S extends Span & { readonly pointer?: string }>(spans: readonly S[]): readonly S[] => {
  const sorted = spans.toSorted((a, b) => ORDER.indexOf(a.severity) - ORDER.indexOf(b.severity));
  const kept: S[] = [];
  for (const span of sorted) {
    if (kept.length === LIMITS.mcp.findingsMax) break;
    const { kind, pointer, start, end } = span;
    const isRepeated = kept.some((other) => other.kind === kind && other.pointer === pointer && start < other.end && other.start < end);
    if (!isRepeated) kept.push(span);
  }
  return kept;
};
