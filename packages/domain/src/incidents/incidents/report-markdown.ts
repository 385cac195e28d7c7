import type { IncidentEntry, IncidentReport } from '@svc/contract/incidents/incidents/incident-shapes.ts';

type Parts = Omit<IncidentReport, 'markdown'>;

/** Text of people as it is, so that none of it becomes a heading, a link or a table. */
const plain = (text: string): string => text.replace(/[\\`*_{}[\]<>()#+|!-]/g, '\\$&').replace(/\s+/g, ' ');

const duration = (seconds: number | null): string => (seconds === null ? 'not reached' : `${seconds} s`);

const entryLine = ({ at, kind, count, data }: IncidentEntry): string => {
  const text = typeof data.note === 'string' ? data.note : [data.type, data.control, data.subject, data.code].filter(Boolean).join(' ');
  return `| ${at} | ${kind} | ${plain(text || JSON.stringify(data).slice(0, 200))} | ${count} |`;
};

/** Writes a report as Markdown. */
export const reportMarkdown = (report: Parts): string => {
  const { incident, times, people, decisions, still_in_force, timeline, entries, checkpoint, written_at } = report;
  const lines = [
    `# ${plain(incident.title)}`,
    '',
    `${incident.id}, ${incident.severity}, ${incident.status}${incident.drill ? ', drill' : ''}. Report of ${written_at}.`,
    '',
    plain(incident.summary ?? incident.description),
    '',
    '## Times',
    '',
    `- Opened: ${incident.created_at}`,
    `- To acknowledge: ${duration(times.to_acknowledge_seconds)}`,
    `- To contain: ${duration(times.to_contain_seconds)}`,
    `- To resolve: ${duration(times.to_resolve_seconds)}`,
    '',
    '## Containment',
    '',
    '| Control | Target | Confirmed | Actual | By | At | In force |',
    '| --- | --- | --- | --- | --- | --- | --- |',
    ...incident.steps.map(
      ({ control, target, confirmed, actual, executed_by, executed_at, in_force }) =>
        `| ${control} | ${plain(target.name)} | ${confirmed} | ${actual} | ${executed_by} | ${executed_at} | ${in_force ? 'yes' : 'no'} |`,
    ),
    '',
    `Still in force: ${still_in_force.length === 0 ? 'nothing' : still_in_force.join(', ')}.`,
    '',
    '## Decisions before containment',
    '',
    `${decisions.refused} refused, ${decisions.permitted} permitted.`,
    '',
    '## People',
    '',
    ...people.map(({ id, entries: count }) => `- ${id}: ${count} entries`),
    '',
    '## Timeline',
    '',
    `${entries} entries${timeline.length < entries ? `, of which the first ${timeline.length} are here` : ''}.`,
    '',
    '| Time | Kind | Entry | Count |',
    '| --- | --- | --- | --- |',
    ...timeline.map(entryLine),
    '',
    checkpoint === null
      ? 'No checkpoint of the log covers these events yet.'
      : `Checkpoint of the log: ${checkpoint.size} leaves, root ${checkpoint.root_hash}.`,
    '',
  ];
  return lines.join('\n');
};
