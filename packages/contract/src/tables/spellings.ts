/** Names of capabilities: lower-case letters, digits, `_` and `-`, in parts joined by dots. */
export const DOTTED_NAME_PATTERN = '^[a-z0-9_-]+(\\.[a-z0-9_-]+)*$';
/** Names of tools, which may have capitals: MCP servers use them. */
export const TOOL_NAME_PATTERN = '^[A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)*$';
/** Pattern of the name of a label. */
export const LABEL_NAME_PATTERN = '^[a-z0-9]([a-z0-9_.-]{0,61}[a-z0-9])?$';
/** Slugs of MCP servers, the first part of the names of their tools. */
export const MCP_SLUG_CHARS_MAX = 18;
export const MCP_SLUG_PATTERN = '^[a-z0-9]+(-[a-z0-9]+)*$';
