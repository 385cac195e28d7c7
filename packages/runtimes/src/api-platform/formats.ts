import { agentgateway } from './agentgateway.ts';
import { envoy } from './envoy.ts';
import { kong } from './kong.ts';
import { nginx } from './nginx.ts';
import type { PlatformFormat } from './platform-format.ts';

/** Formats by product. */
export const PLATFORM_FORMATS: Readonly<Record<string, PlatformFormat>> = { kong, envoy, nginx, agentgateway };
