// An OpenID Connect provider for the tests, on loopback: the real thing (npm oidc-provider), with any login good and the
// client `onsale`. Beside it, two switches that no provider has: tokens signed to order, and new keys at once.
// Run as a program it prints its issuer and serves until it is ended.

import { createHmac, createPublicKey, createPrivateKey, generateKeyPairSync, sign } from 'node:crypto';
import { createServer } from 'node:http';
import Provider from 'oidc-provider';

const CLIENT = 'onsale';
let generation = 0;
let keys = null;
let answer = null;

/** One RSA and one P-256 key, as private JWKs. */
function freshKeys() {
  generation += 1;
  const jwk = (type, options, more) => ({ ...generateKeyPairSync(type, options).privateKey.export({ format: 'jwk' }), use: 'sig', ...more });
  return {
    RS256: jwk('rsa', { modulusLength: 2048 }, { alg: 'RS256', kid: `rsa-${generation}` }),
    ES256: jwk('ec', { namedCurve: 'P-256' }, { alg: 'ES256', kid: `ec-${generation}` }),
  };
}

function renew(issuer) {
  keys = freshKeys();
  const provider = new Provider(issuer, {
    clients: [{
      client_id: CLIENT,
      application_type: 'native', // A loopback address of any port may be its way back.
      redirect_uris: ['http://127.0.0.1/v1/session/callback'],
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code'],
      response_types: ['code'],
    }],
    jwks: { keys: Object.values(keys) },
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    conformIdTokenClaims: false,
    cookies: { keys: ['only for tests'] },
    findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id, email: `${id}@fans.example`, email_verified: true }) }),
  });
  answer = provider.callback();
}

const part = (value) => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

/** A token with exactly these parts. `by` is a key's algorithm, `public` for an HMAC under the RSA key's public half, `stranger`, or `none`. */
function signed({ header, claims, by }) {
  const message = `${part({ kid: keys[header.alg]?.kid, ...header })}.${part(claims)}`;
  return `${message}.${signature(by, header.alg, message)}`;
}

function signature(by, alg, message) {
  if (by === 'none') return '';
  if (by === 'public') {
    const pem = createPublicKey({ key: keys.RS256, format: 'jwk' }).export({ type: 'spki', format: 'pem' });
    return createHmac('sha256', pem).update(message).digest('base64url');
  }
  const key = by === 'stranger' ? freshKeys()[alg] : keys[by];
  return sign('sha256', Buffer.from(message), { key: createPrivateKey({ key, format: 'jwk' }), dsaEncoding: 'ieee-p1363' }).toString('base64url');
}

async function toOrder(request, response) {
  let body = '';
  for await (const chunk of request) body += chunk;
  response.end(signed(JSON.parse(body)));
}

const server = createServer((request, response) => {
  if (request.url === '/test/sign') return toOrder(request, response);
  if (request.url === '/test/renew') {
    renew(issuer);
    return response.end();
  }
  return answer(request, response);
});
await new Promise((resolve) => { server.listen(Number(process.env.PORT ?? 0), '127.0.0.1', resolve); });
const issuer = `http://127.0.0.1:${server.address().port}`;
renew(issuer);
console.log(issuer);
