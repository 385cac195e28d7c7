import { type Static, Type } from 'typebox';
import { closedObject, enumSchema, jsonObject, nullable } from '../rows/schema.ts';

/** Which value a tool keeps if both people and the document changed it. */
export const ON_CONFLICT = ['KEEP', 'TAKE'] as const;
export const TAKING_OUTCOMES = ['CREATED', 'UPDATED', 'UNCHANGED', 'REFUSED', 'NOT_REACHED'] as const;

export const TakenTool = closedObject({
  key: Type.String(),
  outcome: enumSchema(TAKING_OUTCOMES, 'NOT_REACHED: the request timed out before this tool. Send the request again.'),
  tool_id: nullable(Type.String()),
  code: nullable(Type.String({ description: 'Error code; null if there is no error.' })),
  message: nullable(Type.String()),
  details: Type.Optional(jsonObject('Details of the error.')),
});
export type TakenTool = Static<typeof TakenTool>;
