import type { AreaEndpoints } from '../rows/area-rows.ts';
import { codeAssistEndpoints } from './code-assist.ts';
import { toolDeclarationEndpoints } from './declarations.ts';
import { dryCallEndpoints } from './dry-call.ts';
import { integrationEndpoints } from './integrations.ts';
import { toolCatalogueEndpoints } from './tool-catalogue.ts';
import { toolImportEndpoints } from './tool-imports.ts';
import { toolRouteEndpoints } from './tool-routes.ts';
import { toolEndpoints } from './tools.ts';

export const TOOLS = {
  ...toolEndpoints,
  ...toolDeclarationEndpoints,
  ...dryCallEndpoints,
  ...toolRouteEndpoints,
  ...toolImportEndpoints,
  ...toolCatalogueEndpoints,
  ...integrationEndpoints,
  ...codeAssistEndpoints,
} as const satisfies AreaEndpoints<'tools'>;
