import type { AuditEvent } from '@svc/contract/events/audit-events.ts';
import type { BodyFormat } from '@svc/contract/events/webhooks.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { WIRE_NAME } from '@svc/contract/tables/wire-name.ts';
import { writeJsonText } from '../json-text.ts';

const { bodyBytesMax } = LIMITS.webhooks;

/** Version of the API from which a receiver reads the resource of an event. */
const BODY_API_VERSION = 'v1';

export type TellableEvent = Pick<
  AuditEvent,
  'id' | 'type' | 'occurred_at' | 'organization_id' | 'workspace_id' | 'environment_id' | 'subject' | 'data'
>;

const ownBody = (event: TellableEvent) => ({
  id: event.id,
  type: event.type,
  occurred_at: event.occurred_at,
  organization_id: event.organization_id,
  workspace_id: event.workspace_id,
  environment_id: event.environment_id,
  subject: event.subject,
  data: event.data,
  api_version: BODY_API_VERSION,
});

/** CloudEvents 1.0, structured: what has no attribute there is in its data. */
const cloudEvent = (event: TellableEvent) => ({
  specversion: '1.0',
  id: event.id,
  source: `urn:${WIRE_NAME}:organization:${event.organization_id}`,
  type: event.type,
  subject: event.subject.id,
  time: event.occurred_at,
  datacontenttype: 'application/json',
  data: {
    organization_id: event.organization_id,
    workspace_id: event.workspace_id,
    environment_id: event.environment_id,
    subject: event.subject,
    data: event.data,
    api_version: BODY_API_VERSION,
  },
});

const FORMS = { JSON: ownBody, CLOUDEVENTS: cloudEvent } as const satisfies Record<BodyFormat, unknown>;

export const CONTENT_TYPES = {
  JSON: 'application/json',
  CLOUDEVENTS: 'application/cloudevents+json; charset=utf-8',
} as const satisfies Record<BodyFormat, string>;

/** Maximum UTF-8 bytes per UTF-16 unit. */
const BYTES_PER_UNIT = 3;

const isSmall = (text: string): boolean =>
  text.length * BYTES_PER_UNIT <= bodyBytesMax || (text.length <= bodyBytesMax && new TextEncoder().encode(text).length <= bodyBytesMax);

/** An attribute of a CloudEvent has no underscore. */
const LEFT_OUT = { JSON: 'data_left_out', CLOUDEVENTS: 'dataleftout' } as const satisfies Record<BodyFormat, string>;

/**
 * Returns the body of a delivery as JSON text: identical for the same event at each attempt. If the event's data would make it too large,
 * or is
 * too deep, `data` is empty and `data_left_out` says so; the receiver reads the resource back in any case.
 */
export const buildDeliveryBody = (event: TellableEvent, format: BodyFormat): string => {
  const text = writeJsonText(FORMS[format](event));
  if (text !== undefined && isSmall(text)) return text;
  return JSON.stringify({ ...FORMS[format]({ ...event, data: {} }), [LEFT_OUT[format]]: true });
};

/** Returns the content of a test delivery: an event of the kind that did not happen. */
export const testEvent = (
  place: Pick<TellableEvent, 'id' | 'type' | 'occurred_at' | 'organization_id' | 'workspace_id' | 'environment_id'> & {
    readonly subscription_id: string;
  },
): TellableEvent => {
  const { subscription_id, ...event } = place;
  return {
    ...event,
    subject: { type: 'webhook_subscription', id: subscription_id },
    data: { test: true, message: 'This is a test of the webhook. No event occurred.' },
  };
};
