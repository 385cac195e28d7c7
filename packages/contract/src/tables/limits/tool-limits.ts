/** Limits of tools, their schemas and what is analysed with them. */
export const TOOL_LIMITS = {
  tools: {
    /** Tools of one environment, which every gateway that decides there holds; and bytes of their schemas and executions as JSON. */
    perEnvironmentMax: 3_000,
    bytesPerEnvironmentMax: 16_777_216,
    /** Approximate number of agents authorized for one tool: they are listed with it, changed by one request, and named in one event. */
    agentsPerToolMax: 20_000,
    /** One pattern in a schema: characters, instructions, and units of work (about a microsecond each) to prepare it. */
    patternLengthMax: 1_000,
    patternStepsMax: 2_500,
    patternWorkMax: 3_500,
    /** Units of work to prepare all patterns of a schema. */
    patternWorksMax: 8_000,
    /** Approximate bytes of a process's cache of compiled schemas. */
    schemaBytesMax: 67_108_864,
  },
  codeAssist: {
    sourceCharsMax: 65_536,
    toolsMax: 20,
    reasonCharsMax: 500,
    /** Bytes of a provider's response, and of what a model may write. */
    responseBytesMax: 262_144,
    tokensMax: 8_000,
    /** Timeout of a process that parses a source, once it has started. */
    parseMs: 10_000,
    parseHeapBytesMax: 268_435_456,
    /** Concurrent requests of a process; one per organization. */
    atOnceMax: 4,
  },
  integrations: {
    /** Integrations of one organization, including removed ones. */
    perOrganizationMax: 200,
    /** Source names that are tried if a request names none. */
    sourcesTriedMax: 20,
  },
} as const;
