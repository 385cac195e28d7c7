import { type Static, Type } from 'typebox';
import { defineEndpoint } from '../rows/endpoint.ts';
import { closedObject, enumSchema, nullable, timestamp } from '../rows/schema.ts';
import { CONTROL_STATES } from '../tables/compliance/controls.ts';
import { FRAMEWORK_NAMES } from '../tables/compliance/frameworks.ts';
import { LIMITS } from '../tables/limits.ts';

const { compliance } = LIMITS;
const state = enumSchema(CONTROL_STATES, 'Measured state. A control without evidence is NOT_MET.');
const counts = Object.fromEntries(CONTROL_STATES.map((each) => [each, Type.Integer()])) as Record<
  (typeof CONTROL_STATES)[number],
  ReturnType<typeof Type.Integer>
>;

const ComplianceMeasure = closedObject({
  name: Type.String(),
  asks: Type.String({ description: 'Counted items, and the condition that fulfills the measure.' }),
  of: enumSchema(
    ['NOW', 'PERIOD'],
    'Basis: the state when the report is created; or the events recorded in the period. A report of a past period has only the latter.',
  ),
  state,
  fulfilled: Type.Integer({ description: 'Number of counted items that fulfill the measure.' }),
  counted: Type.Integer({ description: 'Number of counted items, within the limits of looked_at.' }),
  needed: Type.String({ description: 'Share or number from which the measure is met, and from which it is partially met.' }),
  looked_at: enumSchema(
    ['ALL', 'SAMPLE', 'NEWEST'],
    `Counted items: ALL; a SAMPLE spread evenly over the period; or, if there are more, only the NEWEST ${compliance.rowsMax}, in which case the measure is never MET.`,
  ),
  lacking: nullable(Type.String({ description: 'Required action; null if met or not applicable.' })),
  evidence: Type.Array(closedObject({ method: Type.Literal('GET'), path: Type.String(), permission: Type.String() }), {
    description: 'Requests that return the underlying data.',
  }),
});
export type ComplianceMeasure = Static<typeof ComplianceMeasure>;

const ComplianceControl = closedObject({
  name: Type.String(),
  title: Type.String(),
  asks: Type.String({ description: 'Requirement, paraphrased.' }),
  references: Type.Array(closedObject({ framework: enumSchema(FRAMEWORK_NAMES), reference: Type.String() })),
  state,
  basis: enumSchema(
    ['COUNTED', 'RECORDED', 'EVENTS'],
    'Basis of the state: COUNTED from the measures; for a period in the past the state RECORDED at its end or, if none was, only the EVENTS of the period.',
  ),
  lacking: Type.Array(Type.String(), { description: 'Open points.' }),
  operator: Type.String({ description: 'Responsibilities of your organization that the service cannot measure.' }),
  recorded: nullable(
    closedObject(
      { state, since: timestamp },
      'State at the last run of the job, which measures the default period about every hour, and the time since which it has this state; null before the first run.',
    ),
  ),
  measures: Type.Array(ComplianceMeasure),
});
export type ComplianceControl = Static<typeof ComplianceControl>;

export const ComplianceReport = closedObject({
  organization_id: Type.String(),
  generated_at: timestamp,
  period: closedObject({ from: timestamp, to: timestamp }),
  says: Type.String({ description: 'Scope and limits of this report.' }),
  counts: closedObject(counts, 'Number of controls by state.'),
  frameworks: Type.Array(
    closedObject({
      name: enumSchema(FRAMEWORK_NAMES),
      title: Type.String(),
      edition: Type.String(),
      outside: Type.String({ description: 'Parts of the framework that the service cannot observe.' }),
      applies: Type.Array(closedObject({ part: Type.String(), from: Type.String({ description: 'Date, such as 2026-08-02.' }) }), {
        description: 'Obligations and the dates from which they apply by law.',
      }),
      references: Type.Array(closedObject({ reference: Type.String(), title: Type.String(), state, controls: Type.Array(Type.String()) })),
    }),
  ),
  controls: Type.Array(ComplianceControl),
});
export type ComplianceReport = Static<typeof ComplianceReport>;

export const complianceEndpoints = {
  getComplianceReport: defineEndpoint({
    plane: 'control',
    area: 'events',
    method: 'GET',
    path: '/v1/compliance/report',
    summary:
      'Get the compliance report: configuration and measurements mapped to OWASP ASI, the EU AI Act, ISO/IEC 42001 and SOC 2, with the underlying counts.',
    credential: 'caller',
    budget: 'caller',
    wire: 'json',
    permissions: ['audit:read'],
    query: closedObject({
      from: Type.Optional(
        Type.String({ maxLength: 24, description: `Start of the period. Defaults to ${compliance.periodDays} days before the end.` }),
      ),
      to: Type.Optional(Type.String({ maxLength: 24, description: 'End of the period. Defaults to now.' })),
      framework: Type.Optional(enumSchema(FRAMEWORK_NAMES, 'Only controls of this framework.')),
    }),
    result: ComplianceReport,
    emits: [],
    refuses: ['PERMISSION_DENIED', 'VALIDATION_FAILED', 'RATE_LIMITED'],
  }),
};
