/** Terminal picture at the top of the README, drawn from the demo transcript that the README shows as text. */
export const PICTURE_FILE = 'docs/pictures/refusal.svg';

const PROMPT = '$ npm run demo';
const FONT_SIZE = 14;
const CHARACTER_WIDTH = 8.4;
const LINE_HEIGHT = 20;
const MARGIN = 24;
const TITLE_BAR = 36;

const COLOURS: ReadonlyArray<readonly [pattern: RegExp, colour: string]> = [
  [/^\$/, '#8b949e'],
  [/^\s*answer/, '#ff7b72'],
  [/^\s+yes /, '#7ee787'],
  [/^\s+no /, '#ffa657'],
  [/matches, and decides/, '#ff7b72'],
  [/^\s+\(/, '#8b949e'],
  [/^\s*checks/, '#79c0ff'],
];

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const getColour = (line: string): string => COLOURS.find(([pattern]) => pattern.test(line))?.[1] ?? '#e6edf3';

const px = (value: number): string => String(Math.round(value * 10) / 10);

/** `textLength` keeps the columns aligned in every font. */
const drawLine = (line: string, index: number): string => {
  const text = line.trimStart();
  const x = MARGIN + (line.length - text.length) * CHARACTER_WIDTH;
  const y = TITLE_BAR + MARGIN + index * LINE_HEIGHT;
  const length = px(text.length * CHARACTER_WIDTH);
  return `  <text x="${px(x)}" y="${y}" textLength="${length}" fill="${getColour(line)}">${escaped(text.replace(/ {2,}/g, (spaces) => '\u00a0'.repeat(spaces.length)))}</text>`;
};

/** Returns the transcript in the README: its first block marked as text, without the common indentation. */
const getTranscript = (readme: string): readonly string[] => {
  const block = /^```text\n(.*?)^```$/ms.exec(readme)?.[1] ?? '';
  return block.trimEnd().split('\n');
};

export const formatPicture = (readme: string): string => {
  const lines = [PROMPT, '…', ...getTranscript(readme).map((line) => line.replace(/^ {4}/, ''))];
  const width = Math.ceil(2 * MARGIN + Math.max(...lines.map((line) => line.length)) * CHARACTER_WIDTH);
  const height = TITLE_BAR + MARGIN + lines.length * LINE_HEIGHT;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="title" font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="${FONT_SIZE}">`,
    '  <title id="title">A refused action in the demo, with the reasons</title>',
    `  <rect width="${width}" height="${height}" rx="10" fill="#0d1117"/>`,
    ...['#ff5f57', '#febc2e', '#28c840'].map((fill, index) => `  <circle cx="${20 + index * 20}" cy="18" r="6" fill="${fill}"/>`),
    ...lines.map(drawLine),
    '</svg>',
    '',
  ].join('\n');
};
