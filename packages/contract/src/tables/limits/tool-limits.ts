/** Bounds of tools, of their schemas and of what is judged by them. */
export const TOOL_LIMITS = {
  tools: {
    /** Of one environment, which every gateway that decides there holds: tools, and bytes of their schemas and executions as JSON. */
    perEnvironmentMax: 3_000,
    bytesPerEnvironmentMax: 16_777_216,
    /** Agents authorized for one tool, about: they are told with it, changed together by one request, and named in one event. */
    agentsPerToolMax: 20_000,
    /** Of one pattern in a schema: characters, instructions, and units of work (about a microsecond each) to prepare it. */
    patternLengthMax: 1_000,
    patternStepsMax: 2_500,
    patternWorkMax: 3_500,
    /** Units of work to prepare all patterns of a schema. */
    patternWorksMax: 8_000,
    /** What a process keeps of compiled schemas, about. */
    schemaBytesMax: 67_108_864,
  },
  codeAssist: {
    sourceCharsMax: 65_536,
    toolsMax: 20,
    reasonCharsMax: 500,
    /** Of the answer of a provider, and of what a model may write. */
    answerBytesMax: 262_144,
    tokensMax: 8_000,
    /** Of a process that parses a source, once it has started. */
    parseMs: 10_000,
    parseHeapBytesMax: 268_435_456,
    /** Requests under way at the same time in one process; of one organization it is one. */
    atOnceMax: 4,
  },
  integrations: {
    /** Of one organization, removed ones included. */
    perOrganizationMax: 200,
    /** Sources that are tried if a request names none. */
    sourcesTriedMax: 20,
  },
} as const;
