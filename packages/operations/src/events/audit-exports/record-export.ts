import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';

type ExportProgress = { readonly organizationId: string; readonly data: Readonly<Record<string, unknown>> };

/** Records the start or the end of an export of audit events. */
export const recordExport = async ({ emit }: Change<'audit.exported'>, { organizationId, data }: ExportProgress): Promise<void> =>
  emit('audit.exported', { ...about.organization({ id: organizationId }), data });
