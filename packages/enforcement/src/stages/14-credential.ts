import { isAllowed } from '@svc/domain/tools/destinations/allowlist.ts';
import type { Facts, Learned } from '../facts/facts.ts';
import { defineStage, PASSED, refuseStage, requireKnown, type StageAnswer } from '../facts/stage.ts';

const REFUSES = ['INVALID_CREDENTIAL_REFERENCE'] as const;
type Answer = StageAnswer<(typeof REFUSES)[number]>;

const unusable = (tool: string, why: string): Answer =>
  refuseStage('INVALID_CREDENTIAL_REFERENCE', `The credential of ${tool} ${why}.`, { tool });

/** Checks that the credential of the call exists, serves this tool, and may be sent to the destination. The executor opens it. */
const checkCredential = (_facts: Facts, learned: Learned): Answer => {
  const tool = requireKnown(learned.tool, 'tool');
  const { credential } = tool;
  if (credential === null) return PASSED;
  if (credential === undefined) return unusable(tool.name, 'does not exist');
  if (credential.sealed_secret === null) return unusable(tool.name, 'is revoked');
  const isNamed = credential.tools.includes(tool.name) || (tool.mcp !== null && credential.servers.includes(tool.mcp.slug));
  if (!isNamed) return unusable(tool.name, 'is not allowed for this tool');
  const { destination } = requireKnown(learned.derived, 'request');
  if (destination === null || !isAllowed(credential.destinations, destination))
    return unusable(tool.name, 'is not allowed for this destination');
  return { outcome: 'passed', learned: { credential } };
};

export const credential = defineStage({ name: 'credential', relaxedByObserve: false, refuses: REFUSES, check: checkCredential });
