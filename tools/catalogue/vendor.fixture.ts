const ID = { name: 'item-id', in: 'path', required: true, schema: { type: 'string' } };

const newItem = (more: object) => ({
  type: 'object',
  required: ['title'],
  properties: {
    id: { type: 'string', readOnly: true },
    title: { type: 'string', maxLength: 80 },
    tags: { type: 'array', items: { type: 'string' } },
    ...more,
  },
});

/** A small document of a vendor. */
export const getVendorDocument = ({
  version = '1.0.0',
  limit = 50,
  item = {},
  query = [] as readonly object[],
  hasDelete = true,
} = {}) => ({
  openapi: '3.0.3',
  info: { title: 'Shelf', version },
  servers: [{ url: 'https://api.shelf.example/v1/' }],
  components: {
    securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Shelf-Key' } },
    schemas: { NewItem: newItem(item) },
    parameters: { Id: ID },
  },
  paths: {
    '/items': {
      get: {
        operationId: 'listItems',
        description: 'Returns each of the items that stand on the shelf of the caller, newest first.',
        parameters: [
          { name: 'limit', in: 'query', schema: { type: 'integer', maximum: limit } },
          { name: 'states[]', in: 'query', schema: { type: 'array', items: { type: 'string' } } },
          ...query,
        ],
      },
      post: {
        operationId: 'createItem',
        requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/NewItem' } } } },
      },
    },
    '/items/{item-id}': {
      parameters: [{ $ref: '#/components/parameters/Id' }],
      get: { operationId: 'getItem' },
      ...(hasDelete ? { delete: { operationId: 'deleteItem' } } : {}),
    },
  },
});
