import { type Static, Type } from 'typebox';
import { endpoint } from '../rows/endpoint.ts';
import { closed, nullable, oneOf, timestamp } from '../rows/schema.ts';
import { CONTROL_STATES } from '../tables/compliance/controls.ts';
import { FRAMEWORK_NAMES } from '../tables/compliance/frameworks.ts';
import { LIMITS } from '../tables/limits.ts';

const { compliance } = LIMITS;
const state = oneOf(CONTROL_STATES, 'Measured state. A control without evidence is NOT_MET.');
const counts = Object.fromEntries(CONTROL_STATES.map((each) => [each, Type.Integer()])) as Record<
  (typeof CONTROL_STATES)[number],
  ReturnType<typeof Type.Integer>
>;

const ComplianceMeasure = closed({
  name: Type.String(),
  asks: Type.String({ description: 'Counted items, and the condition that fulfills the measure.' }),
  of: oneOf(['NOW', 'PERIOD'], 'Basis: the state when the report is created, for any period; or the events recorded in the period.'),
  state,
  fulfilled: Type.Integer({ description: 'Number of counted items that fulfill the measure.' }),
  counted: Type.Integer({ description: 'How many there are, as far as was looked.' }),
  needed: Type.String({ description: 'From which share or number on it is met, and in part.' }),
  looked_at: oneOf(
    ['ALL', 'SAMPLE', 'NEWEST'],
    `ALL of them; a SAMPLE spread evenly over the period; or the NEWEST ${compliance.rowsMax} of more, and then it is never MET.`,
  ),
  lacking: nullable(Type.String({ description: 'Required action; null if met or not applicable.' })),
  evidence: Type.Array(closed({ method: Type.Literal('GET'), path: Type.String(), permission: Type.String() }), {
    description: 'Requests that show the same.',
  }),
});
export type ComplianceMeasure = Static<typeof ComplianceMeasure>;

const ComplianceControl = closed({
  name: Type.String(),
  title: Type.String(),
  asks: Type.String({ description: 'Requirement, in our words.' }),
  references: Type.Array(closed({ framework: oneOf(FRAMEWORK_NAMES), reference: Type.String() })),
  state,
  lacking: Type.Array(Type.String(), { description: 'Open points.' }),
  operator: Type.String({ description: 'Responsibilities of your organization that the service cannot measure.' }),
  recorded: nullable(
    closed(
      { state, since: timestamp },
      'Its state when a job last looked, about every hour over the default period, and since when it is so; null before the first time.',
    ),
  ),
  measures: Type.Array(ComplianceMeasure),
});
export type ComplianceControl = Static<typeof ComplianceControl>;

export const ComplianceReport = closed({
  organization_id: Type.String(),
  generated_at: timestamp,
  period: closed({ from: timestamp, to: timestamp }),
  says: Type.String({ description: 'Scope and limits of this report.' }),
  counts: closed(counts, 'Controls by their state.'),
  frameworks: Type.Array(
    closed({
      name: oneOf(FRAMEWORK_NAMES),
      title: Type.String(),
      edition: Type.String(),
      outside: Type.String({ description: 'Parts of the framework that the service cannot observe.' }),
      references: Type.Array(closed({ reference: Type.String(), title: Type.String(), state, controls: Type.Array(Type.String()) })),
    }),
  ),
  controls: Type.Array(ComplianceControl),
});
export type ComplianceReport = Static<typeof ComplianceReport>;

export const complianceEndpoints = {
  getComplianceReport: endpoint({
    plane: 'control',
    area: 'events',
    method: 'GET',
    path: '/v1/compliance/report',
    summary: 'Configuration and measurements mapped to OWASP ASI, the EU AI Act, ISO/IEC 42001 and SOC 2, with the underlying counts.',
    credential: 'caller',
    budget: 'caller',
    wire: 'json',
    permissions: ['audit:read'],
    query: closed({
      from: Type.Optional(
        Type.String({ maxLength: 24, description: `Begin of the period; ${compliance.periodDays} days before its end when left out.` }),
      ),
      to: Type.Optional(Type.String({ maxLength: 24, description: 'End of the period; now when left out.' })),
      framework: Type.Optional(oneOf(FRAMEWORK_NAMES, 'Controls of this framework alone.')),
    }),
    result: ComplianceReport,
    emits: [],
    refuses: ['PERMISSION_DENIED', 'VALIDATION_FAILED', 'RATE_LIMITED'],
  }),
};
