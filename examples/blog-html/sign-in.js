import { addressOf, find, messageOf, recto } from './blog.js';
import { showLanguages } from './language.js';

showLanguages((tag) => addressOf('sign-in.html', {}, tag));

find('#sign-in').addEventListener('submit', async (event) => {
  event.preventDefault();
  const { email, password } = Object.fromEntries(new FormData(event.target));
  try {
    await recto.auth.login({ email, password });
    location.assign(addressOf('index.html', {}));
  } catch (error) {
    find('#sign-in [role=alert]').textContent = messageOf(error);
  }
});
