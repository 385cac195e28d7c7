import { agentRisk, type Conduct } from './conduct.ts';

const HYSTERESIS = 15;
const LOW_SECONDS = 600;
const PAUSE_SECONDS = 3_600;
const RISE = 20;

/**
 * Records the risk of an agent after a decision. Returns it if `risk.threshold_exceeded` is due: when it exceeds `high` after ten minutes
 * of low risk and an hour after the last event, or when it is 20 above the last reported one.
 */
export const passThreshold = (conduct: Conduct, high: number, nowMs: number): number | undefined => {
  const risk = agentRisk(conduct, nowMs);
  const now = Math.floor(nowMs / 1000);
  if (risk >= high - HYSTERESIS) conduct.lowSince = 0;
  else if (conduct.lowSince === 0) conduct.lowSince = now;
  if (!conduct.armed && conduct.lowSince !== 0 && now - conduct.lowSince >= LOW_SECONDS) conduct.armed = true;
  if (risk < high) return undefined;
  const isRise = risk >= conduct.toldRisk + RISE && !conduct.armed;
  const isNew = conduct.armed && now - conduct.toldAt >= PAUSE_SECONDS;
  if (!isRise && !isNew) return undefined;
  conduct.armed = false;
  conduct.toldRisk = risk;
  conduct.toldAt = now;
  return risk;
};
