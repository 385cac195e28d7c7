import { type Static, Type } from 'typebox';
import { closedObject, enumSchema, id, jsonObject, nullable, timestamp } from '../../rows/schema.ts';
import { ACCEPTANCE_ENDS, FINDING_KINDS, FINDING_SEVERITIES, FINDING_STATUSES } from '../runtimes/vocabulary.ts';

export const RuntimeFinding = closedObject({
  id: id('Finding id (fnd_).'),
  runtime_id: Type.String(),
  environment_id: Type.String(),
  kind: enumSchema(FINDING_KINDS),
  severity: enumSchema(FINDING_SEVERITIES),
  status: enumSchema(FINDING_STATUSES),
  title: Type.String(),
  dormant: Type.Boolean({ description: 'True if nothing runs it at present, such as a draft or an inactive workflow.' }),
  contained_by: nullable(Type.String({ description: 'Evidence that shows that the bypass cannot work.' })),
  workflow: nullable(closedObject({ id: Type.String(), name: Type.String() })),
  node: nullable(closedObject({ id: Type.String(), name: Type.String(), type: Type.String() })),
  evidence: jsonObject('Observations that the finding rests on. Values of parameters are not stored.'),
  via: Type.Array(Type.String(), { description: 'Workflows and nodes on the way to it.' }),
  remedy: closedObject({ text: Type.String(), docs_url: nullable(Type.String()) }),
  acceptable: Type.Boolean({ description: 'True if its risk can be accepted.' }),
  acceptance: nullable(
    closedObject({
      reason: Type.String(),
      by: Type.String(),
      at: timestamp,
      expires_at: timestamp,
      ended_at: nullable(timestamp),
      ended_because: nullable(enumSchema(ACCEPTANCE_ENDS)),
    }),
  ),
  first_seen_at: timestamp,
  last_seen_at: timestamp,
  resolved_at: nullable(timestamp),
});
export type RuntimeFinding = Static<typeof RuntimeFinding>;
