import { type Static, Type } from 'typebox';
import { defineEndpoint } from '../rows/endpoint.ts';
import { closedObject, currency, cursorPage, enumSchema, id, nullable, timestamp } from '../rows/schema.ts';

/** Set by a person or an API key, or fetched from the provider. */
export const RATE_SOURCES = ['MANUAL', 'AUTOMATIC'] as const;
export type RateSource = (typeof RATE_SOURCES)[number];

/** Pattern of a plain decimal: enough digits for any pair of currencies, and few enough to multiply cheaply. */
export const RATE_PATTERN = '^(?:0|[1-9][0-9]{0,17})(?:\\.[0-9]{1,18})?$';

export const ExchangeRate = closedObject({
  id: id('Exchange rate id (fxr_).'),
  base_currency: currency,
  quote_currency: currency,
  rate: Type.String({ description: 'Decimal: units of the quote currency for one of the base currency.' }),
  source: enumSchema(RATE_SOURCES),
  effective_at: timestamp,
  created_at: timestamp,
  created_by: Type.String({ description: 'Creator of the rate: a user, an API key, or system.' }),
  deleted_at: nullable(timestamp),
});
export type ExchangeRate = Static<typeof ExchangeRate>;

/** Status of the provider of automatic rates. Its address is only for the operator, since it may contain a key. */
const ProviderStatus = closedObject({
  configured: Type.Boolean({ description: 'True if the operator configured a provider.' }),
  refresh_seconds: nullable(Type.Integer({ description: 'Interval of automatic refreshes.' })),
  attempted_at: nullable(timestamp),
  succeeded_at: nullable(timestamp),
  failure: nullable(Type.String({ description: 'Reason the last attempt failed; null if it succeeded.' })),
});

export const RatesInForce = closedObject({
  base_currency: currency,
  rates: Type.Array(ExchangeRate, { description: 'Current rates, one per currency pair.' }),
  upcoming: Type.Array(ExchangeRate, { description: 'Rates that become effective later, next one first.' }),
  provider: ProviderStatus,
});
export type RatesInForce = Static<typeof RatesInForce>;

const RefreshedRates = closedObject({
  base_currency: currency,
  refreshed_at: timestamp,
  changed: Type.Integer({ description: 'Number of updated rates.' }),
  unchanged: Type.Integer({ description: 'Number of unchanged rates.' }),
  ignored: Type.Array(Type.String(), { description: 'Codes in the response that are not ISO 4217 currencies in circulation; at most 50.' }),
});
export type RefreshedRates = Static<typeof RefreshedRates>;

const onRates = <const Rest extends object>(rest: Rest) => ({
  plane: 'control' as const,
  area: 'money' as const,
  credential: 'caller' as const,
  budget: 'caller' as const,
  wire: 'json' as const,
  ...rest,
});

export const fxRateEndpoints = {
  getExchangeRates: defineEndpoint({
    ...onRates({
      method: 'GET',
      path: '/v1/fx-rates',
      summary: 'List current and future exchange rates, with the status of the automatic provider.',
      permissions: ['organization:read'],
    }),
    result: RatesInForce,
    emits: [],
    refuses: [],
  }),
  listExchangeRateHistory: defineEndpoint({
    ...onRates({
      method: 'GET',
      path: '/v1/fx-rates/history',
      summary: 'List all stored exchange rates, newest first.',
      permissions: ['organization:read'],
    }),
    query: closedObject({
      cursor: Type.Optional(Type.String({ maxLength: 2000 })),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 50 })),
    }),
    result: cursorPage(ExchangeRate),
    emits: [],
    refuses: ['VALIDATION_FAILED'],
  }),
  createExchangeRate: defineEndpoint({
    ...onRates({
      method: 'POST',
      path: '/v1/fx-rates',
      summary:
        'Set a manual exchange rate, which overrides an automatic rate of the same pair. Requires a step-up if the two currencies can already be converted.',
      permissions: ['organization:update'],
      mayNeed: ['step_up'],
    }),
    credential: 'person',
    body: closedObject({
      base_currency: currency,
      quote_currency: currency,
      rate: Type.String({
        pattern: RATE_PATTERN,
        examples: ['1.0825'],
        description: 'Decimal above zero, at most 18 digits before and after the point: units of the quote currency for one of the base.',
      }),
      effective_at: Type.Optional(
        Type.String({ maxLength: 24, description: 'Time from which the rate applies, such as 2026-01-31T09:30:00.000Z. Defaults to now.' }),
      ),
    }),
    result: ExchangeRate,
    status: 201,
    emits: ['fx_rate.created'],
    refuses: ['VALIDATION_FAILED', 'PERMISSION_DENIED', 'STEP_UP_REQUIRED', 'UNPROCESSABLE'],
  }),
  deleteExchangeRate: defineEndpoint({
    ...onRates({
      method: 'DELETE',
      path: '/v1/fx-rates/{rateId}',
      summary: 'Remove a manual exchange rate. Requires a step-up if the two currencies can still be converted without it.',
      permissions: ['organization:update'],
      mayNeed: ['step_up'],
    }),
    credential: 'person',
    result: ExchangeRate,
    emits: ['fx_rate.deleted'],
    refuses: ['NOT_FOUND', 'PERMISSION_DENIED', 'STEP_UP_REQUIRED', 'UNPROCESSABLE'],
  }),
  refreshExchangeRates: defineEndpoint({
    ...onRates({
      method: 'POST',
      path: '/v1/fx-rates/refresh',
      summary: 'Fetch automatic exchange rates now.',
      permissions: ['organization:update'],
    }),
    result: RefreshedRates,
    emits: ['fx_rate.refreshed', 'fx_rate.refresh_failed'],
    refuses: ['PERMISSION_DENIED', 'UNPROCESSABLE', 'DEPENDENCY_UNAVAILABLE'],
    automation: 'ALLOWED',
  }),
};
