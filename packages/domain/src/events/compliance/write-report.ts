import type { ComplianceControl, ComplianceMeasure, ComplianceReport } from '@svc/contract/events/compliance.ts';
import {
  CONTROL_NAMES,
  CONTROL_STATES,
  CONTROLS,
  type Control,
  type ControlName,
  type ControlState,
} from '@svc/contract/tables/compliance/controls.ts';
import { FRAMEWORK_NAMES, FRAMEWORKS, type Framework, type FrameworkName } from '@svc/contract/tables/compliance/frameworks.ts';
import type { EvidenceQuery, MeasureDefinition } from '@svc/contract/tables/compliance/measure.ts';
import { MEASURES, type MeasureName } from '@svc/contract/tables/compliance/measures.ts';
import { judgeControl, stateOfAll } from './judge-control.ts';
import { judgeMeasure, type MeasureCounts } from './judge-measure.ts';

export type Period = { readonly from: string; readonly to: string };

const SAYS =
  'The configuration and the records of the service, counted and mapped to the requirements of these frameworks. This is evidence for an auditor, not a statement of conformity: the service covers a part of each requirement, and each control lists the responsibilities of the operator.';

const percent = (share: number): string => `${Number((share * 100).toFixed(1))} %`;

const neededBy = ({ needs }: MeasureDefinition): string =>
  'count' in needs
    ? `${needs.count} or more; fewer are partial`
    : `${percent(needs.metShare)}; partial from ${percent(needs.partialShare)}`;

const toldQuery = ({ path, permission, query = {}, inPeriod }: EvidenceQuery, period: Period): ComplianceMeasure['evidence'][number] => {
  const asked = Object.entries({ ...query, ...(inPeriod ? period : {}) }).map(([name, value]) => `${name}=${value}`);
  return { method: 'GET', path: [path, ...(asked.length === 0 ? [] : [asked.join('&')])].join('?'), permission };
};

const toldMeasure = (name: MeasureName, counts: MeasureCounts, period: Period): ComplianceMeasure => {
  const measure: MeasureDefinition = MEASURES[name];
  const state = judgeMeasure(measure, counts);
  return {
    name,
    asks: measure.asks,
    of: measure.of,
    state,
    fulfilled: counts.fulfilled,
    counted: counts.counted,
    needed: neededBy(measure),
    looked_at: counts.looked_at,
    lacking: state === 'PARTIAL' || state === 'NOT_MET' ? measure.lacking : null,
    evidence: measure.evidence.map((each) => toldQuery(each, period)),
  };
};

type Found = {
  readonly period: Period;
  readonly counts: ReadonlyMap<MeasureName, MeasureCounts>;
  /** Results recorded by the job, by control. */
  readonly recorded: Readonly<Record<string, { readonly state: ControlState; readonly since: string }>>;
  /** The recorded states at the end of a period in the past. The present configuration shows nothing of such a period. */
  readonly past?: Readonly<Record<string, ControlState>>;
};

const NOTHING: MeasureCounts = { fulfilled: 0, counted: 0, looked_at: 'ALL' };

const NOT_RECORDED = 'No state of this control was recorded at the end of the period, and its present configuration shows nothing of it.';

/** The state of a control in a past period: the recorded one, else the one that the events of the period show, which are a part. */
const judgePast = (control: Control, states: readonly ControlState[], recorded: ControlState | undefined): ControlState => {
  if (recorded !== undefined) return recorded;
  if (states.length === 0) return 'NOT_MET';
  const state = judgeControl(control, states);
  return state === 'MET' && states.length < control.measures.length ? 'PARTIAL' : state;
};

const toldControl = (name: ControlName, { period, counts, recorded, past }: Found): ComplianceControl => {
  const control: Control = CONTROLS[name];
  const names = control.measures.filter((measure) => past === undefined || MEASURES[measure].of === 'PERIOD');
  const measures = names.map((measure) => toldMeasure(measure, counts.get(measure) ?? NOTHING, period));
  const states = measures.map((measure) => measure.state);
  const state = past === undefined ? judgeControl(control, states) : judgePast(control, states, past[name]);
  const isUnrecorded = past !== undefined && past[name] === undefined && names.length < control.measures.length;
  const lacking = [...measures.flatMap((measure) => measure.lacking ?? []), ...(isUnrecorded ? [NOT_RECORDED] : [])];
  return {
    name,
    title: control.title,
    asks: control.asks,
    references: FRAMEWORK_NAMES.flatMap((framework) =>
      (control.references[framework] ?? []).map((reference: string) => ({ framework, reference })),
    ),
    state,
    basis: past === undefined ? 'COUNTED' : past[name] === undefined ? 'EVENTS' : 'RECORDED',
    lacking: control.neverWhole && state !== 'NOT_APPLICABLE' ? [...lacking, control.neverWhole] : lacking,
    operator: control.operator,
    recorded: recorded[name] ?? null,
    measures,
  };
};

const toldFramework = (name: FrameworkName, controls: readonly ComplianceControl[]): ComplianceReport['frameworks'][number] => {
  const { title, edition, outside, applies, references }: Framework = FRAMEWORKS[name];
  return {
    name,
    title,
    edition,
    outside,
    applies: applies.map((each) => ({ ...each })),
    references: Object.entries(references).map(([reference, about]) => {
      const answering = controls.filter((control) =>
        control.references.some((each) => each.framework === name && each.reference === reference),
      );
      return {
        reference,
        title: about,
        state: stateOfAll(answering.map(({ state }) => state)),
        controls: answering.map((control) => control.name),
      };
    }),
  };
};

/** Controls that answer to a framework; all of them without one. */
export const listControls = (framework?: FrameworkName): readonly ControlName[] =>
  CONTROL_NAMES.filter((name) => framework === undefined || framework in CONTROLS[name].references);

/** Returns the distinct measures of these controls. */
export const listMeasures = (controls: readonly ControlName[]): readonly MeasureName[] => [
  ...new Set(controls.flatMap((name) => CONTROLS[name].measures)),
];

export const describeControls = (names: readonly ControlName[], found: Found): readonly ComplianceControl[] =>
  names.map((name) => toldControl(name, found));

/** Writes the report of the counts; for a single framework if one is named. */
export const writeReport = (
  {
    framework,
    ...said
  }: { readonly organization_id: string; readonly generated_at: string; readonly framework?: FrameworkName | undefined },
  found: Found,
): ComplianceReport => {
  const controls = describeControls(listControls(framework), found);
  return {
    ...said,
    period: found.period,
    says: SAYS,
    counts: Object.fromEntries(
      CONTROL_STATES.map((state) => [state, controls.filter((control) => control.state === state).length]),
    ) as ComplianceReport['counts'],
    frameworks: (framework === undefined ? FRAMEWORK_NAMES : [framework]).map((name) => toldFramework(name, controls)),
    controls: [...controls],
  };
};
