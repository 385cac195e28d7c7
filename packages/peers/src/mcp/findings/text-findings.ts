import { drawInvisible, dropInvisible, findInvisible, type InvisibleRun } from '../definitions/visible-text.ts';
import { findEncodedText } from './encoded-text.ts';
import { type DefinitionFinding, type JudgedText, keepGravest, newFinding, type Span } from './finding.ts';
import { indexTools, type ToolContext } from './known-tools.ts';
import { NAME_PHRASES, PHRASES, type Phrase } from './phrases.ts';
import { newSearchableText, type SearchableText } from './searchable-text.ts';

const SHOWN_CHARS_MAX = 200;
const SHOWN_BEFORE = 40;

const shorten = (text: string): string => drawInvisible(text.length > SHOWN_CHARS_MAX ? `${text.slice(0, SHOWN_CHARS_MAX)}…` : text);

const wordsAmong = (text: string): readonly string[] =>
  text.match(/[a-z0-9_][\w.-]{0,127}/gu)?.map((word) => word.replace(/[.-]$/u, '')) ?? [];

const phraseSpans = (searchable: SearchableText, phrases: readonly Phrase[], ownTools: ReadonlySet<string>): readonly Span[] =>
  phrases.flatMap(({ kind, severity, pattern, explanation, mayNameOwnTool }) =>
    Array.from(searchable.text.matchAll(pattern)).flatMap(({ 0: match, index }): readonly Span[] => {
      if (mayNameOwnTool && wordsAmong(match).some((word) => ownTools.has(word))) return [];
      return [{ kind, severity, explanation, ...searchable.toOriginal(index, index + match.length) }];
    }),
  );

const decodeTags = (text: string): string =>
  Array.from(text, (character) => String.fromCharCode(((character.codePointAt(0) ?? 0) - 0xe0000) & 0x7f))
    .join('')
    .replace(/\p{Cc}/gu, '');

const invisibleSpan = (text: string, { start, end, kind }: InvisibleRun, stopsAtControls: boolean): Span => {
  const range = { start, end };
  switch (kind) {
    case 'control':
      return {
        ...range,
        kind: 'CONTROL_CHARACTERS',
        severity: stopsAtControls ? 'critical' : 'high',
        stops: stopsAtControls,
        explanation: 'Control characters can hide text in a terminal or change how it is shown.',
      };
    case 'bidi':
      return {
        ...range,
        kind: 'BIDI_CONTROLS',
        severity: 'critical',
        explanation: 'Characters that turn the direction of writing show another text than the one that a model reads.',
      };
    case 'tag':
      return {
        ...range,
        kind: 'TAG_CHARACTERS',
        severity: 'critical',
        explanation: `Invisible tag characters spell: ${shorten(decodeTags(text.slice(start, end)))}`,
      };
    case 'other':
      return {
        ...range,
        kind: 'INVISIBLE_CHARACTERS',
        severity: 'medium',
        explanation: `Invisible characters. Without them the text is: ${shorten(dropInvisible(text.slice(Math.max(0, start - SHOWN_BEFORE), end + SHOWN_BEFORE)))}`,
      };
  }
};

/** Joins runs of one kind that are near each other, such as those between all letters of a word. */
const joinRuns = (runs: readonly InvisibleRun[]): readonly InvisibleRun[] => {
  const joined: InvisibleRun[] = [];
  for (const run of runs) {
    const last = joined.at(-1);
    if (last?.kind === run.kind && run.kind === 'other' && run.start - last.end <= SHOWN_CHARS_MAX)
      joined[joined.length - 1] = { ...last, end: run.end };
    else joined.push(run);
  }
  return joined;
};

const markupSpans = (text: string): readonly Span[] => {
  const spans: Span[] = [];
  const hidden = { kind: 'HIDDEN_MARKUP', severity: 'medium', explanation: 'Markup that pages do not show and models read.' } as const;
  for (let start = text.indexOf('<!--'); start !== -1; start = text.indexOf('<!--', start + 4)) {
    const close = text.indexOf('-->', start + 4);
    const end = close === -1 ? text.length : close + 3;
    if (/\p{L}{2}/u.test(text.slice(start, end))) spans.push({ ...hidden, start, end });
    if (close === -1) break;
  }
  for (const { 0: match, index } of text.matchAll(/\[\/\/\]: {0,4}#[^\n]{0,500}/gu))
    spans.push({ ...hidden, start: index, end: index + match.length });
  return spans;
};

const LINES_MAX = 20;
const SPACES_MAX = 300;

const spaceSpans = (text: string): readonly Span[] => {
  const visibleEnd = text.trimEnd().length;
  return Array.from(text.matchAll(/\s{20,4096}/gu)).flatMap(({ 0: run, index }): readonly Span[] => {
    const end = index + run.length;
    const isLong = run.length >= SPACES_MAX || run.split('\n').length > LINES_MAX;
    if (!isLong || end >= visibleEnd) return [];
    return [
      {
        kind: 'HIDDEN_BY_SPACE',
        severity: 'medium',
        start: index,
        end,
        explanation: `Text follows a long empty space: ${shorten(text.slice(end, end + SHOWN_CHARS_MAX))}`,
      },
    ];
  });
};

const encodedSpans = (text: string): readonly Span[] =>
  findEncodedText(text).map(({ start, end, decoded }) => {
    const isInstruction = phraseSpans(newSearchableText(decoded), PHRASES, new Set()).length > 0;
    return {
      kind: 'ENCODED_TEXT',
      severity: isInstruction ? 'high' : 'medium',
      start,
      end,
      explanation: `Encoded text: ${shorten(decoded)}`,
    };
  });

const LINK_SCHEMES = /\b(?:javascript|vbscript):[^\s]|\bdata:text\/html|\bui:\/\//gu;

const linkSpans = (text: string): readonly Span[] =>
  Array.from(text.matchAll(LINK_SCHEMES), ({ 0: match, index }) => ({
    kind: 'UNSAFE_LINK' as const,
    severity: 'high' as const,
    start: index,
    end: index + match.length,
    explanation: 'A link whose target runs code or shows a page of the server.',
  }));

const DISTINCTIVE = /[_.-]|^.{12,}$/u;
const DIRECTS =
  /\b(?:when|whenever|instead|before|after|always|must|never|every time|each time|rather than|do not|don t|use|call|invoke|replaces?)\b/u;
const NEAR_CHARS = 80;

/** Mentions of tools of other servers. Names that are ordinary words count only where the text calls them a tool. */
const referenceSpans = ({ text, toOriginal }: SearchableText, context: ToolContext, own: ReadonlySet<string>): readonly Span[] => {
  const { byName } = indexTools(context.otherTools);
  if (byName.size === 0) return [];
  return Array.from(text.matchAll(/[\p{L}\p{N}_][\p{L}\p{N}_.-]{0,127}/gu)).flatMap(({ 0: word, index }): readonly Span[] => {
    const name = word.replace(/[.-]$/u, '');
    const other = byName.get(name);
    if (other === undefined || own.has(name)) return [];
    const near = text.slice(Math.max(0, index - NEAR_CHARS), index + name.length + NEAR_CHARS);
    const isCalledTool = /^ tool\b/u.test(text.slice(index + name.length)) || /\btool $/u.test(text.slice(Math.max(0, index - 8), index));
    if (!DISTINCTIVE.test(name) && !isCalledTool) return [];
    return [
      {
        kind: 'OTHER_TOOL_REFERENCE',
        severity: DIRECTS.test(near) ? 'high' : 'low',
        ...toOriginal(index, index + name.length),
        explanation: `Speaks of ${name}, a tool of the server ${other.server}.`,
      },
    ];
  });
};

const USED_TOOL =
  /\b(?:when|whenever|if|every time|each time) (?:the )?(\w{1,60}[_-]\w{1,60})(?: tool)? (?:is|are|gets) (?:used|called|invoked|run)\b/gu;

const unknownToolSpans = ({ text, toOriginal }: SearchableText, own: ReadonlySet<string>): readonly Span[] =>
  Array.from(text.matchAll(USED_TOOL)).flatMap(({ 0: match, 1: name = '', index }): readonly Span[] =>
    own.has(name)
      ? []
      : [
          {
            kind: 'OTHER_TOOL_REFERENCE',
            severity: 'medium',
            ...toOriginal(index, index + match.length),
            explanation: `Says what to do when ${name} is used, which is no tool of this server.`,
          },
        ],
  );

/** How a text is judged. */
export type TextTerms = {
  readonly context: ToolContext;
  /** True for texts of definitions, in which control characters stop the tool. */
  readonly stopsAtControls: boolean;
  readonly phrases?: readonly Phrase[];
};

/** Judges a text that people read on a page and a model reads in whole. Takes time linear in its length. */
export const judgeText = (judged: JudgedText, { context, stopsAtControls, phrases = PHRASES }: TextTerms): readonly DefinitionFinding[] => {
  const { text } = judged;
  const own = new Set(context.ownTools.map((name) => name.toLowerCase()));
  const searchable = newSearchableText(text);
  const runs = joinRuns(findInvisible(text));
  const found = phraseSpans(searchable, phrases, own);
  const isHiddenPhrase = (run: InvisibleRun): boolean => found.some(({ start, end }) => run.start < end && run.end > start);
  const spans: readonly Span[] = [
    ...runs.map((run) => {
      const span = invisibleSpan(text, run, stopsAtControls);
      return span.severity === 'medium' && isHiddenPhrase(run) ? { ...span, severity: 'high' as const } : span;
    }),
    ...found,
    ...markupSpans(text),
    ...spaceSpans(text),
    ...encodedSpans(text),
    ...linkSpans(text),
    ...referenceSpans(searchable, context, own),
    ...unknownToolSpans(searchable, own),
  ];
  // Excerpts are cut only for what is kept: a hostile text has thousands of spans.
  return keepGravest(spans).map((span) => newFinding(judged, span));
};

/** Reads a name as words: `ignorePrevious_rules` as `ignore Previous rules`. */
const nameWords = (name: string): string => name.replace(/[_.-]/gu, ' ').replace(/(?<=[a-z0-9])(?=[A-Z])/gu, ' ');

/** Judges a name of a parameter or a tool, in which an instruction may be spelled. */
export const judgeName = ({ pointer, text }: JudgedText, terms: TextTerms): readonly DefinitionFinding[] => {
  const words = nameWords(text);
  const phrases = phraseSpans(newSearchableText(words), [...NAME_PHRASES, ...PHRASES], new Set());
  const invisible = findInvisible(text).map((run) => invisibleSpan(text, run, terms.stopsAtControls));
  const whole = phrases.map((span) => ({ ...span, start: 0, end: text.length }));
  return keepGravest([...invisible, ...whole]).map((span) => newFinding({ pointer, text }, span));
};
