import { computeAmountBaseline } from '../../conduct/amounts.ts';
import { type SignalDefinition, UNKNOWN } from '../signal.ts';

const AMOUNTS_MIN = 30;

export const unusualAmount: SignalDefinition = {
  name: 'unusual_amount',
  look: ({ conduct, amount, tool }) => {
    if (amount === null) return undefined;
    if (conduct === null) return UNKNOWN;
    const own = conduct.toolAmounts.find(({ mark }) => mark[0] === tool?.mark[0] && mark[1] === tool.mark[1]);
    const ofTool = own && computeAmountBaseline(own.amounts);
    const { count, q99 } = ofTool && ofTool.count >= AMOUNTS_MIN ? ofTool : computeAmountBaseline(conduct.amounts);
    if (count < AMOUNTS_MIN || amount.value <= 3 * q99) return undefined;
    const times = Math.floor(amount.value / Math.max(1, q99));
    return {
      isHigher: amount.value > 10 * q99,
      subject: tool?.name ?? 'amount',
      sentence: `The amount is about ${times} times what 99 of 100 earlier amounts stayed below (${q99} minor units of ${amount.currency}).`,
      evidence: { amount: amount.value, currency: amount.currency, below_99_of_100: q99, amounts: count },
    };
  },
};
