package org.readpast.runtime;

import jakarta.enterprise.inject.spi.Bean;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;
import org.readpast.api.JobHandler;
import org.readpast.api.Receive;
import org.readpast.api.Retries;
import org.readpast.engine.PicksReceiveMode;

/**
 * A handler that CDI has found.
 *
 * @param payload null: the method takes none
 * @param method null: the bean is a {@link JobHandler}
 * @param place what to call it in messages
 */
record FoundHandler(
    Bean<?> bean,
    @Nullable Class<?> payload,
    String type,
    @Nullable Method method,
    @Nullable Receive receive,
    @Nullable Retries retries,
    String place) {

  boolean picksMode() {
    return method == null
        && bean.getTypes().stream().anyMatch(t -> HandlerBean.rawType(t) == PicksReceiveMode.class);
  }
}
