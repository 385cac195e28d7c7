import type { Endpoints } from '@svc/contract/endpoints.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { redeliverDelivery as redeliver } from '@svc/operations/events/deliveries/redeliver-delivery.ts';
import type { EventsDeps } from '../deps.ts';

export const redeliverDelivery: Handler<Endpoints['redeliverDelivery'], EventsDeps> = (call) => {
  return call.change((change) =>
    redeliver(change, { ...asActing(call), subscriptionId: call.params.subscriptionId, deliveryId: call.params.deliveryId }),
  );
};
