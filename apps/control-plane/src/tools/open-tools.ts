import type { ToolsDeps } from './deps.ts';
import { type ImportSettings, openToolImports } from './tool-imports/arriving/open-tool-imports.ts';

type Needs = Omit<ToolsDeps, 'toolImports' | 'settings'> & {
  readonly settings: ToolsDeps['settings'] & { readonly egress: ImportSettings };
};

export const openTools = ({ settings, ...others }: Needs): ToolsDeps => ({
  settings,
  toolImports: openToolImports(settings.egress),
  ...others,
});
