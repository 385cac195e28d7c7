/** Limits of what MCP servers send. */
export const PEER_LIMITS = {
  mcp: {
    /** One definition of a tool. */
    definitionBytesMax: 262_144,
    toolNameCharsMax: 128,
    /** Address of a resource. */
    uriCharsMax: 2_048,
    /** Arguments of a prompt. */
    promptArgumentsMax: 64,
    toolTitleCharsMax: 1_024,
    descriptionBytesMax: 16_384,
    schemaBytesMax: 32_768,
    definitionDepthMax: 64,
    /** One listing, with all its pages. */
    listingMs: 15_000,
    listingBytesMax: 4_194_304,
    listingPagesMax: 50,
    listingToolsMax: 1_000,
    /** Timeout of the request that finds out which protocol revision a server speaks. */
    probeMs: 5_000,
    cursorCharsMax: 4_096,
    /** Legacy sessions that a process holds, and their idle time. */
    sessionsMax: 4_096,
    sessionIdleMs: 600_000,
    /** One result of a tool. */
    contentBlocksMax: 1_000,
    /** Findings of one text or result, and characters of it that are searched for phrases. */
    findingsMax: 50,
    searchedCharsMax: 65_536,
    /** Headers that repeat arguments of a call, and characters of one. */
    parameterHeadersMax: 64,
    parameterHeaderCharsMax: 4_096,
  },
} as const;
