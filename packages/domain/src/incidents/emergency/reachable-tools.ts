import { readEntries } from '../../tools/destinations/destinations-within.ts';
import { isDestinationFault, parseDestination } from '../../tools/destinations/parse-destination.ts';
import { type BlockPattern, coversHost, overlapsEntry } from './blocked-destination.ts';

type ReachingTool = {
  readonly kind: 'HTTP' | 'MCP' | 'SDK';
  readonly allowlist: readonly string[];
  readonly destination_from: string | null;
  readonly server_url: string | null;
};

/** Returns true if a URL or host matches a pattern. */
export const liesInPattern = (pattern: BlockPattern, text: string): boolean => {
  const destination = parseDestination(text);
  if (isDestinationFault(destination)) return false;
  return (pattern.port === null || pattern.port === destination.port) && coversHost(pattern, destination.host);
};

/** True if a tool may call a destination that a pattern covers. */
export const reachesPattern = (pattern: BlockPattern, tool: ReachingTool): boolean =>
  tool.server_url === null
    ? readEntries(tool.allowlist).some((entry) => overlapsEntry(pattern, entry))
    : liesInPattern(pattern, tool.server_url);

/** True if an agent calls the tool itself and its requests name no destination, so that no block reaches it. */
export const namesNoDestination = ({ kind, allowlist, destination_from }: ReachingTool): boolean =>
  kind === 'SDK' && allowlist.length === 0 && destination_from === null;
