import type { NotificationChannel } from '@svc/contract/events/notification-channels.ts';
import type { ChannelRow } from '@svc/postgres/events/notification-channels/notification-channels.ts';

export const formatChannel = ({ organization_id: _, vouched_by, vouched_by_type, ...row }: ChannelRow): NotificationChannel => ({
  ...row,
  vouched_by: { type: vouched_by_type, id: vouched_by },
});

/** Returns the members of a channel for audit events: what is sent, and the address as people see it. */
export const formatChannelForAudit = ({
  name,
  kind,
  address,
  notices,
  workspace_id,
  environment_id,
  status,
  disabled_reason,
}: ChannelRow) => ({
  name,
  kind,
  address,
  notices,
  workspace_id,
  environment_id,
  status,
  disabled_reason,
});

export const NAME_TAKEN = 'A notification channel of this name exists.';
