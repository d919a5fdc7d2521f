import type { FastifyRequest } from 'fastify'
import { namedService } from './address.ts'

/** Whether a person reads the answer. The API and the calls of the console always get JSON. */
export const wantsPage = ({ headers, originalUrl, routeOptions }: FastifyRequest): boolean =>
  headers.accept?.includes('text/html') === true &&
  headers['x-millseal-console'] === undefined &&
  routeOptions.config.operation === undefined &&
  namedService(originalUrl) === undefined &&
  !/^\/api(?:[/?]|$)/.test(originalUrl)
