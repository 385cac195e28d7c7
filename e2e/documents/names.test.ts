import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { ENDPOINTS } from '@svc/contract/endpoints.ts';
import { DOTTED_NAME_PATTERN, TOOL_NAME_PATTERN } from '@svc/contract/tables/spellings.ts';

type Spelled = {
  readonly pattern?: string;
  readonly maxLength?: number;
  readonly description?: string;
  readonly examples?: readonly string[];
};

const { createTool, createAgent, grantCapability, createDelegation } = ENDPOINTS;
const scope = createDelegation.body.properties.scope as unknown as { properties: Record<string, { anyOf: [{ items: Spelled }] }> };
const NAMES: Readonly<Record<string, unknown>> = {
  tool: createTool.body.properties.name,
  'capability of a tool': createTool.body.properties.required_capability,
  'capability of an agent': createAgent.body.properties.capabilities.items,
  'capability granted': grantCapability.body.properties.capability,
  'capability delegated': scope.properties.capabilities?.anyOf[0].items ?? {},
};

test('describes the names of capabilities by one pattern and those of tools by the same with capitals, in the interface and the guide', () => {
  const guide = readFileSync(path.resolve(import.meta.dirname, '../../docs/guides/first-governed-tool.md'), 'utf8');
  assert.match(guide, /lower-case letters, digits, `_` and `-`, in segments separated by dots, at most 100 characters/);
  for (const [what, spelled] of Object.entries(NAMES)) {
    const { pattern, maxLength, description, examples } = spelled as Spelled;
    const isTool = what === 'tool';
    assert.deepEqual([pattern, maxLength], [isTool ? TOOL_NAME_PATTERN : DOTTED_NAME_PATTERN, 100], what);
    const words = isTool ? /Letters, digits, _ and -/ : /Lower-case letters, digits, _ and -/;
    assert.match(description ?? '', new RegExp(`${words.source}, in segments separated by dots; at most 100 characters\\.$`), what);
    assert.match(examples?.[0] ?? '', new RegExp(pattern ?? '^$'), what);
  }
});
