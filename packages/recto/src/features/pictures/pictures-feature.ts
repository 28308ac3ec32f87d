import { PictureStore } from '../../media/pictures/picture-store.ts';
import { accounts } from '../accounts/accounts-feature.ts';
import { defineFeature } from '../feature.ts';
import { media } from '../media/media-feature.ts';
import { pictureOperations } from './picture-operations.ts';

/** The pictures of those who work in the admin. Their files are stored with those of media, whose jobs remove them. */
export const pictures = defineFeature({
  name: 'pictures',
  async create({ database, log, use }) {
    const { auth } = await use(accounts);
    const services = await use(media);
    const store = new PictureStore(database.dialect);
    return {
      operations({ types }) {
        const type = types.find('media');
        // Without the type, nothing would remove a picture that was replaced.
        if (type?.builtIn !== true) return [];
        return pictureOperations({ auth, media: services, pictures: store, log, mediaSingular: type.singular });
      },
    };
  },
});
