type Node = { readonly id: string; readonly type: string; readonly [name: string]: unknown }

const tab = 'flow'
const to = (...ids: readonly string[]) => [ids]

const task = (id: string, func: string, ...next: readonly string[]): Node => ({
  id,
  type: 'function',
  z: tab,
  outputs: 1,
  func,
  wires: to(...next),
})
const address = (method: 'get' | 'post', url: string, next: string): Node => ({
  id: `${method} ${url}`,
  type: 'http in',
  z: tab,
  method,
  url,
  wires: to(next),
})
const call = (id: string, next: string): Node => ({
  id,
  type: 'http request',
  z: tab,
  method: 'use',
  ret: 'obj',
  wires: to(next),
})

/**
 * What an integrator builds of the nodes that every Node-RED has: gets a token, listens over MQTT, notarizes what the ERP
 * posts, and receives webhooks. The constants of the console are its environment variables.
 */
export const millFlow: readonly Node[] = [
  { id: tab, type: 'tab', label: 'Millseal' },
  { id: 'start', type: 'inject', z: tab, once: true, onceDelay: 0, props: [], wires: to('ask for a token') },
  task(
    'ask for a token',
    `return {
      method: 'POST',
      url: env.get('MILLSEAL_URL') + '/api/tokens',
      headers: { 'content-type': 'application/json' },
      payload: { clientId: env.get('CLIENT_ID'), clientSecret: env.get('CLIENT_SECRET') },
    }`,
    'token',
  ),
  call('token', 'ask for the broker'),
  task(
    'ask for the broker',
    `flow.set('headers', {
      authorization: 'Bearer ' + msg.payload.accessToken,
      company: msg.payload.application.owner.id,
      'content-type': 'application/json',
    })
    flow.set('token', msg.payload.accessToken)
    return { method: 'GET', url: env.get('MILLSEAL_URL') + '/api/broker', headers: flow.get('headers') }`,
    'broker of the company',
  ),
  call('broker of the company', 'connect and subscribe'),
  task(
    'connect and subscribe',
    `const { mqttUrl, username, clientIdPrefix } = msg.payload
    const { company } = flow.get('headers')
    node.send({
      action: 'connect',
      broker: { url: mqttUrl, username, password: flow.get('token'), clientid: clientIdPrefix + 'node-red', force: true },
    })
    node.send({ action: 'subscribe', topic: 'company/' + company + '/+/certificates/notarize_one', qos: 1 })`,
    'listen',
  ),
  {
    id: 'broker',
    type: 'mqtt-broker',
    broker: 'localhost',
    port: '1883',
    autoConnect: false,
    protocolVersion: '4',
    keepalive: '60',
    cleansession: true,
  },
  {
    id: 'listen',
    type: 'mqtt in',
    z: tab,
    topic: '',
    qos: '1',
    datatype: 'auto-detect',
    broker: 'broker',
    inputs: 1,
    wires: to('remember'),
  },
  task(
    'remember',
    "flow.set('heard', [...(flow.get('heard') ?? []), { topic: msg.topic, payload: msg.payload }])",
  ),
  { id: 'answer', type: 'http response', z: tab, wires: [] },
  address('post', '/certificates', 'notarize'),
  task(
    'notarize',
    `msg.method = 'POST'
    msg.url = env.get('MILLSEAL_URL') + '/api/certificates/notarize?mode=test&identity=' + env.get('IDENTITY')
    msg.headers = flow.get('headers')
    return msg`,
    'notarization',
  ),
  call('notarization', 'without its headers'),
  task('without its headers', 'msg.headers = {}\nreturn msg', 'answer'),
  address('get', '/heard', 'tell'),
  task('tell', "msg.payload = flow.get('heard') ?? []\nreturn msg", 'answer'),
  address('post', '/webhook', 'receive'),
  task(
    'receive',
    `msg.headers = {}
    msg.statusCode = flow.get('isFull') ? 500 : 200
    msg.payload = flow.get('isFull') ? 'the queue is full' : 'thanks'
    return msg`,
    'answer',
  ),
  address('post', '/queue', 'fill or empty'),
  task('fill or empty', "flow.set('isFull', msg.payload.isFull)\nmsg.payload = {}\nreturn msg", 'answer'),
]
