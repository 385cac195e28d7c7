import type { AreaHandlers } from '@svc/http/calls/call.ts';
import type { ServiceDeps } from './deps.ts';
import { controlLive } from './health/control-live.ts';
import { controlReady } from './health/control-ready.ts';
import { controlDocs } from './info/control-docs.ts';
import { controlErrorsPage } from './info/control-errors-page.ts';
import { controlGuide } from './info/control-guide.ts';
import { controlGuides } from './info/control-guides.ts';
import { controlOpenapi } from './info/control-openapi.ts';
import { controlRoot } from './info/control-root.ts';
import { getInfo } from './info/get-info.ts';
import { listErrorCodes } from './info/list-error-codes.ts';
import { listEventTypes } from './info/list-event-types.ts';

/** Handlers of this area, one per row. A missing handler, or one of another area, does not compile. */
export const serviceHandlers: AreaHandlers<'control', 'service', ServiceDeps> = {
  listErrorCodes,
  listEventTypes,
  getInfo,
  controlLive,
  controlReady,
  controlDocs,
  controlErrorsPage,
  controlGuides,
  controlGuide,
  controlOpenapi,
  controlRoot,
};
