// Loaded into processes of the tests, before the service: passwords are hashed as cheaply as Argon2 allows. Such a hash says itself what
// it cost, so that nothing else is different. What a real one costs is tested beside the hasher.
const { hash } = Bun.password;

Object.assign(Bun.password, {
  hash: (password: string) => hash.call(Bun.password, password, { algorithm: 'argon2id', memoryCost: 8, timeCost: 1 }),
});
