import { find, messageOf, recto } from './blog.js';

find('#sign-in').addEventListener('submit', async (event) => {
  event.preventDefault();
  const { email, password } = Object.fromEntries(new FormData(event.target));
  try {
    await recto.auth.login({ email, password });
    location.assign('index.html');
  } catch (error) {
    find('#sign-in [role=alert]').textContent = messageOf(error);
  }
});
