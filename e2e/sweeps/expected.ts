import { EXPECTED } from './expected-lines.ts';

const MARKS = ['step-up', 'of-people', 'of-partners', 'enrolment', 'decided', 'read'] as const;
type Mark = (typeof MARKS)[number];

export type ExpectedEndpoint = {
  readonly plane: 'control' | 'gateway';
  readonly method: string;
  readonly path: string;
  readonly who: 'anybody' | 'person' | 'caller' | 'agent' | 'directory' | 'permitted';
  readonly permissions: readonly string[];
  readonly marks: ReadonlySet<Mark>;
};

const isMark = (word: string): word is Mark => (MARKS as readonly string[]).includes(word);
const WHO = ['anybody', 'person', 'caller', 'agent', 'directory'] as const;

const parse = (line: string): ExpectedEndpoint => {
  const words = line.trim().split(/\s+/);
  const plane = words[0] === 'gateway' ? 'gateway' : 'control';
  const [method = '', path = '', ...rest] = plane === 'gateway' ? words.slice(1) : words;
  const said = rest.filter((word) => !isMark(word));
  const who = WHO.find((each) => said.includes(each));
  return {
    plane,
    method,
    path,
    who: who ?? 'permitted',
    permissions: who === undefined ? said : [],
    marks: new Set(rest.filter(isMark)),
  };
};

export const EXPECTED_ROWS: readonly ExpectedEndpoint[] = EXPECTED.split('\n')
  .filter((line) => line.trim() !== '')
  .map(parse);
