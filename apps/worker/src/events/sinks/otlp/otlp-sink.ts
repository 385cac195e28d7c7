import type { AuditEvent } from '@svc/contract/events/audit-events.ts';
import { callSink, formatAddress } from '../call-sink.ts';
import type { SinkKind } from '../sink.ts';

/** Severity numbers of the OpenTelemetry log data model. */
const SEVERITY: Readonly<Record<AuditEvent['severity'], number>> = { info: 9, warning: 13, critical: 21 };

const text = (key: string, stringValue: string | null) => (stringValue === null ? [] : [{ key, value: { stringValue } }]);

const logRecord = (event: AuditEvent) => ({
  timeUnixNano: `${Date.parse(event.occurred_at)}000000`,
  severityNumber: SEVERITY[event.severity],
  severityText: event.severity,
  eventName: event.type,
  body: { stringValue: JSON.stringify(event) },
  attributes: [
    ...text('event.id', event.id),
    ...text('event.name', event.type),
    ...text('organization.id', event.organization_id),
    ...text('workspace.id', event.workspace_id),
    ...text('environment.id', event.environment_id),
    ...text('subject.type', event.subject.type),
    ...text('subject.id', event.subject.id),
    ...text('request.id', event.request_id),
  ],
  ...(/^[0-9a-f]{32}$/.test(event.trace_id) ? { traceId: event.trace_id } : {}),
});

/** OpenTelemetry logs over HTTP in JSON, to a collector or a log system: a log record per event. */
export const OTLP: SinkKind = {
  protocols: ['otlp+https:', 'otlp+http:'],
  example: 'otlp+https://user:token@collector.example/v1/logs',
  fault: (url) => (url.pathname.length > 1 ? undefined : 'The path is missing, usually /v1/logs.'),
  open: (url, { egress }) => {
    const user = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
    const authorization: Record<string, string> =
      url.username === '' ? {} : { authorization: `Basic ${Buffer.from(user).toString('base64')}` };
    return {
      deliver: async (events) => {
        const resource = { attributes: text('service.name', 'agent-governance') };
        const scopeLogs = [{ scope: { name: 'audit-events' }, logRecords: events.map(logRecord) }];
        const headers = { 'content-type': 'application/json', ...authorization };
        await callSink(egress, {
          method: 'POST',
          url: formatAddress(url),
          headers,
          body: JSON.stringify({ resourceLogs: [{ resource, scopeLogs }] }),
        });
      },
      close: async () => {},
    };
  },
};
