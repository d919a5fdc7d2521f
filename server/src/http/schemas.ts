import { listQuery, ModeValue, type Operation } from '@millseal/contract'

/** The schemas that Fastify validates requests with. */
export const schemasOf = (operation: Operation): object => {
  const { params, body } = operation
  return {
    querystring: querySchema(operation),
    // Fastify warns about parts that are present but undefined.
    ...(params && { params }),
    ...((body?.kind === 'json' || body?.kind === 'form') && { body: body.schema }),
  }
}

const querySchema = ({ query, mode, list }: Operation): object => {
  const declared: { readonly properties?: object; readonly required?: readonly string[] } = query ?? {}
  return {
    type: 'object',
    properties: {
      ...declared.properties,
      ...(mode === 'query' && { mode: ModeValue }),
      ...(list === true && listQuery),
    },
    required: [...(declared.required ?? []), ...(mode === 'query' ? ['mode'] : [])],
  }
}
