import { type CodeAssistSettings, openCodeAssist } from './code-assist/asking/open-code-assist.ts';
import type { ToolsDeps } from './deps.ts';
import { type ImportSettings, openToolImports } from './tool-imports/arriving/open-tool-imports.ts';

type Needs = Omit<ToolsDeps, 'toolImports' | 'codeAssist' | 'settings'> & {
  readonly settings: ToolsDeps['settings'] & { readonly egress: ImportSettings; readonly codeAssist: CodeAssistSettings | undefined };
};

export const openTools = ({ settings, ...others }: Needs): ToolsDeps => ({
  settings,
  toolImports: openToolImports(settings.egress),
  codeAssist: settings.codeAssist && openCodeAssist(settings.codeAssist, settings),
  ...others,
});
