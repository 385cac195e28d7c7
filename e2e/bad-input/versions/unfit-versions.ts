type Unfit = { readonly what: string; readonly raw: string; readonly pointer: string | null; readonly code: string; readonly says: RegExp };

/** Versions that JSON cannot express, or that the body schema refuses before the language; sent raw. */
export const UNFIT: readonly Unfit[] = [
  ...[
    ['\\u0000', ''],
    ['\\ud800', '\uFFFD'],
    ['\\udc00x', '\uFFFDx'],
  ].flatMap(([text, shown]) => [
    {
      what: `a reason with ${text}`,
      raw: `{"rules":[{"id":"a","effect":"BLOCK","reason":"x${text}"}]}`,
      pointer: '/rules/0/reason',
      code: 'VALIDATION_FAILED',
      says: /Must be well-formed Unicode/,
    },
    {
      what: `a value with ${text}`,
      raw: `{"rules":[{"id":"a","effect":"BLOCK","reason":"x","when":{"field":"tool.name","op":"in","value":["a","${text}"]}}]}`,
      pointer: '/rules/0/when/value/1',
      code: 'VALIDATION_FAILED',
      says: /Must be well-formed/,
    },
    {
      what: `a member named ${text}`,
      raw: `{"rules":[{"id":"a","effect":"BLOCK","reason":"x","a${text}":1}]}`,
      pointer: `/rules/0/a${shown}`,
      code: 'VALIDATION_FAILED',
      says: /name of this member/,
    },
  ]),
  {
    what: 'a number beyond all numbers',
    raw: '{"rules":[{"id":"a","effect":"BLOCK","reason":"x","when":{"field":"amount","op":"gt","value":1e999}}]}',
    pointer: '/rules/0/when/value',
    code: 'VALIDATION_FAILED',
    says: /larger than any supported number/,
  },
  {
    what: 'NaN',
    raw: '{"rules":[{"id":"a","effect":"BLOCK","reason":"x","when":{"field":"amount","op":"gt","value":NaN}}]}',
    pointer: null,
    code: 'INVALID_REQUEST',
    says: /JSON/,
  },
  {
    what: 'a prototype',
    raw: '{"rules":[{"__proto__":{"effect":"ALLOW"},"id":"a","effect":"BLOCK","reason":"x"}]}',
    pointer: null,
    code: 'INVALID_REQUEST',
    says: /JSON|prototype/i,
  },
  { what: 'rules that are an object', raw: '{"rules":{"0":{}}}', pointer: '/rules', code: 'VALIDATION_FAILED', says: /Must be an array/ },
  { what: 'rules that are null', raw: '{"rules":null}', pointer: '/rules', code: 'VALIDATION_FAILED', says: /Must be an array/ },
  {
    what: 'thousands of rules',
    raw: `{"rules":[${'{},'.repeat(1000)}{}]}`,
    pointer: '/rules',
    code: 'VALIDATION_FAILED',
    says: /at most 1000 items/,
  },
  {
    what: 'tests that are a text',
    raw: '{"rules":[{"id":"a","effect":"BLOCK","reason":"x"}],"tests":"none"}',
    pointer: '/tests',
    code: 'VALIDATION_FAILED',
    says: /Must be an array/,
  },
  {
    what: 'a member beside the version',
    raw: '{"rulez":[]}',
    pointer: '/rulez',
    code: 'VALIDATION_FAILED',
    says: /Check its spelling, or remove it/,
  },
  {
    what: 'nesting beyond everything',
    raw: `{"rules":[{"id":"a","effect":"BLOCK","reason":"x","when":${'{"not":'.repeat(60)}{}${'}'.repeat(60)}}]}`,
    pointer: null,
    code: 'INVALID_REQUEST',
    says: /nested too deeply/,
  },
];
