import { listQuery, ModeValue, type Operation } from '@millseal/contract'

type ObjectSchema = { readonly properties?: object; readonly required?: readonly string[] }

/** The schemas that the framework validates a request with. */
export const schemasOf = (operation: Operation): object => {
  const { params, body } = operation
  return {
    ...(params === undefined ? {} : { params }),
    querystring: querySchema(operation),
    ...(body?.kind === 'json' || body?.kind === 'form' ? { body: body.schema } : {}),
  }
}

const querySchema = ({ query, mode, list }: Operation): object => {
  const declared: ObjectSchema = query ?? {}
  return {
    type: 'object',
    properties: {
      ...declared.properties,
      ...(mode === 'query' ? { mode: ModeValue } : {}),
      ...(list === true ? listQuery : {}),
    },
    required: [...(declared.required ?? []), ...(mode === 'query' ? ['mode'] : [])],
  }
}
